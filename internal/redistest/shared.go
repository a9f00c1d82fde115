package redistest

import (
	"sync"
	"testing"
)

// resource is started by the first test that uses it and removed after the
// last one.
type resource[T interface{ remove() }] struct {
	mu     sync.Mutex // guards both
	users  int
	shared T
}

var (
	sharedServer  resource[*Server]
	sharedCluster resource[*Cluster]
)

// Shared is a server for every test of this binary that wants one and breaks
// nothing of it. Each keeps to a tenant of its own.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	return sharedServer.use(tb, func() *Server { return launch(tb, false) })
}

// SharedCluster is Shared for a cluster.
func SharedCluster(tb testing.TB) *Cluster {
	tb.Helper()
	return sharedCluster.use(tb, func() *Cluster { return launchCluster(tb) })
}

func (r *resource[T]) use(tb testing.TB, start func() T) T {
	tb.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.users == 0 {
		r.shared = start()
	}
	r.users++
	tb.Cleanup(r.release)
	return r.shared
}

func (r *resource[T]) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.users--; r.users == 0 {
		r.shared.remove()
	}
}
