package redistest

import (
	"sync"
	"testing"
)

// resource is started by the first test that uses it and removed by Main.
type resource[T interface{ remove() }] struct {
	mu      sync.Mutex // guards the three
	managed bool       // Main will remove it
	started bool
	shared  T
}

var (
	sharedServer  resource[*Server]
	sharedCluster resource[*Cluster]
)

// Runner is a testing.M, or something around one.
type Runner interface{ Run() int }

// Main runs m and then removes the shared servers. TestMain of a package that
// uses them is
//
//	os.Exit(redistest.Main(m).Run())
//
// or hands Main(m) to goleak.VerifyTestMain.
func Main(m Runner) Runner { return cleaner{m} }

type cleaner struct{ tests Runner }

// Run runs the tests.
func (c cleaner) Run() int {
	defer sharedServer.manage()()
	defer sharedCluster.manage()()
	return c.tests.Run()
}

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
	if !r.managed {
		tb.Fatal("shared servers need a TestMain that uses redistest.Main")
	}
	if !r.started {
		r.shared = start()
		r.started = true
	}
	return r.shared
}

// manage lets the resource be used until the function it answers is called.
func (r *resource[T]) manage() (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.managed = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.started {
			r.shared.remove()
		}
		r.managed, r.started = false, false
	}
}
