package redistest

import (
	"os"
	"os/exec"
	"testing"
)

// RequireEnv set to 1 turns the skip of a missing redis-server into a failure.
const RequireEnv = "GATEWAY_TEST_REQUIRE_REDIS"

// binary finds redis-server, or ends the test.
func binary(tb testing.TB) string {
	tb.Helper()
	path, err := exec.LookPath("redis-server")
	if err == nil {
		return path
	}
	if os.Getenv(RequireEnv) == "1" {
		tb.Fatalf("redis-server is required (%s=1) and not installed: %v", RequireEnv, err)
	}
	tb.Skip("!!! SKIPPED: redis-server IS NOT INSTALLED; this was NOT tested against a real Redis !!!")
	return ""
}
