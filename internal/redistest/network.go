package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/session-gateway/gateway/internal/porttest"
)

var errExited = errors.New("redis-server ended")

// bus is how far above its port a cluster node listens for other nodes.
const bus = 10_000

// poll calls ready until it succeeds, the process ended or ctx is over.
func poll(ctx context.Context, ready func() error) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := ready()
		if err == nil || errors.Is(err, errExited) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready in time: %w", err)
		case <-tick.C:
		}
	}
}

// freePort is a port that was free a moment ago, and its cluster bus port too.
func freePort() int { return porttest.Free(bus) }

// tempDir outlives the test that asks for it: a shared server does too.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "redistest-") //nolint:usetesting // see above
	if err != nil {
		tb.Fatalf("make a directory for redis-server: %v", err)
	}
	return dir
}
