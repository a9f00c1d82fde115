package redistest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"
)

var errExited = errors.New("redis-server ended")

// Ports lie, with those of the cluster bus that Redis puts 10000 above, below
// those that systems give to connections: else a server that is down for a while
// may find its port taken when it comes back.
const (
	minPort = 10_000
	maxPort = 22_767
	bus     = 10_000
)

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
func freePort() int {
	for {
		port := minPort + rand.IntN(maxPort-minPort+1) //nolint:gosec // spreads servers, guards nothing
		if isFree(port) && isFree(port+bus) {
			return port
		}
	}
}

// isFree binds a port for a moment.
func isFree(port int) bool {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return false
	}
	return l.Close() == nil
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
