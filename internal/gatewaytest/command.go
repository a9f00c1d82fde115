package gatewaytest

import (
	"context"
	"os/exec"
	"testing"
)

// Command is the program with other arguments than `serve`, ready to start. The
// test that starts it has to wait for it.
func Command(ctx context.Context, tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	path, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	return exec.CommandContext(ctx, path, args...) //nolint:gosec // the program built above
}
