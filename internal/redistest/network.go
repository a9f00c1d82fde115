package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"testing"
	"time"
)

var errExited = errors.New("redis-server ended")

// maxPort leaves room for the cluster bus, which Redis puts 10000 above.
const maxPort = 55535

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
func freePort(tb testing.TB) int {
	tb.Helper()
	for {
		port := listenOn(tb, 0)
		if port > 0 && port <= maxPort && listenOn(tb, port+10000) > 0 {
			return port
		}
	}
}

// listenOn binds a port (0: any) for a moment; 0 when it is taken.
func listenOn(tb testing.TB, port int) int {
	tb.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return 0
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// tempDir outlives the test that asks for it: a shared server does too.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "redistest-") //nolint:usetesting // see above
	if err != nil {
		tb.Fatalf("make a directory for redis-server: %v", err)
	}
	return dir
}
