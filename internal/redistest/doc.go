// Package redistest starts real redis-server processes on loopback for tests.
//
// Start gives a test a server of its own, which it may kill, restart or
// pause. Shared gives it one that the other tests of the same binary use too,
// so every test keeps to its own tenant. StartCluster and SharedCluster do the
// same with three masters in Cluster mode. Everything is stopped and removed
// when the (last) test that uses it ends.
//
// Where redis-server is not installed the test is skipped, loudly; with
// GATEWAY_TEST_REQUIRE_REDIS=1 it fails instead, so that CI can't pass without.
package redistest
