// Package redistest starts real redis-server processes on loopback for tests.
//
// Start gives a test a server of its own, which it may kill, restart or
// pause. Shared gives it one that the other tests of the same binary use too,
// so every test keeps to its own tenant; Main, in TestMain, removes it.
// StartCluster and SharedCluster do the same with three masters in Cluster
// mode. On Linux servers also die with a test binary that is killed.
//
// Where redis-server is not installed the test is skipped, loudly; with
// GATEWAY_TEST_REQUIRE_REDIS=1 it fails instead, so that CI can't pass without.
package redistest
