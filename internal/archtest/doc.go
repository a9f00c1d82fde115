// Package archtest holds the tests of the project's shape: which package may
// import which, which packages are pure, where the environment is read.
//
// The rules are the tables in rules_test.go, each with its reason. The tests
// parse the files themselves: a test that asks the go command would be
// answered from the test cache after a file outside this package changed.
package archtest
