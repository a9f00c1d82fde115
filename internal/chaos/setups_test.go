package chaos

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/session-gateway/gateway/internal/redistest"
)

// setup is a way to run Redis, and what can happen to it.
type setup struct {
	promise promise
	urls    []string // for one gateway each, or one for all
	faults  []fault
	flags   []string // of the gateways
}

// replicated is a setup whose gateways acknowledge what all replicas have.
func replicated(with func(*testing.T) setup, replicas int) func(*testing.T) setup {
	return func(t *testing.T) setup {
		s := with(t)
		s.promise, s.flags = ackedKept, []string{fmt.Sprintf("--durability=replicated=%d", replicas)}
		return s
	}
}

// single is one server that writes down every command before it answers. Each
// gateway has a wire of its own to it.
func single(t *testing.T) setup {
	s := redistest.Start(t)
	var wires []*wire
	var urls []string
	for range replicas {
		w := newWire(t, s.Addr())
		wires = append(wires, w)
		urls = append(urls, "redis://"+w.addr)
	}
	return setup{promise: nothingLost, urls: urls, faults: append(wireFaults("Redis wire", wires),
		fault{"restart", "Redis", 1, breath, quietly(s.Kill), quietly(s.Restart)},
		fault{"freeze", "Redis", 1, faint, quietly(s.Pause), quietly(s.Resume)},
	)}
}

func quietly(f func()) func(context.Context, int) error {
	return func(context.Context, int) error {
		f()
		return nil
	}
}

// sentinel is a primary with two replicas that may take over.
func sentinel(t *testing.T) setup {
	s := &failover{Sentinel: redistest.StartSentinel(t)}
	return setup{promise: lossAnnounced, urls: []string{s.URL()}, faults: []fault{
		{"failover", "Redis", 1, blink, s.killPrimary, s.rejoin},
		{"freeze until a failover", "Redis", 1, blink, s.freezePrimary, s.thaw},
	}}
}

// failover remembers which server was struck. Strikes on Redis don't overlap.
type failover struct {
	*redistest.Sentinel
	struck *redistest.Server
}

func (f *failover) killPrimary(ctx context.Context, _ int) error {
	return f.strike(ctx, (*redistest.Server).Kill)
}

func (f *failover) freezePrimary(ctx context.Context, _ int) error {
	return f.strike(ctx, (*redistest.Server).Pause)
}

func (f *failover) strike(ctx context.Context, how func(*redistest.Server)) error {
	primary, err := f.Primary(ctx)
	if err != nil {
		return fmt.Errorf("find the primary: %w", err)
	}
	f.struck = primary
	how(primary)
	if err := f.AwaitFailover(ctx, primary); err != nil {
		return fmt.Errorf("await a failover: %w", err)
	}
	return nil
}

func (f *failover) rejoin(ctx context.Context, _ int) error {
	f.struck.Restart()
	return f.Rejoin(ctx, f.struck) //nolint:wrapcheck // the director says what it was
}

// thaw lets the old primary go on. It takes writes until it hears that it is
// none any more; those are what a failover loses.
func (f *failover) thaw(ctx context.Context, _ int) error {
	f.struck.Resume()
	return f.Rejoin(ctx, f.struck) //nolint:wrapcheck // the director says what it was
}

// cluster is three masters with a replica each.
func cluster(t *testing.T) setup {
	c := &election{ReplicatedCluster: redistest.StartReplicatedCluster(t)}
	return setup{promise: lossAnnounced, urls: []string{c.URL()}, faults: []fault{
		{"failover", "Redis", 1, blink, c.killMaster, c.restart},
		{"freeze until a failover", "Redis", 1, blink, c.freezeMaster, c.thaw},
	}}
}

// election remembers which node was struck. Strikes on Redis don't overlap.
type election struct {
	*redistest.ReplicatedCluster
	turn   int // so that every master is struck
	struck *redistest.Server
}

var errNoMaster = errors.New("the cluster has no master")

func (e *election) killMaster(ctx context.Context, _ int) error {
	return e.strike(ctx, (*redistest.Server).Kill)
}

func (e *election) freezeMaster(ctx context.Context, _ int) error {
	return e.strike(ctx, (*redistest.Server).Pause)
}

func (e *election) strike(ctx context.Context, how func(*redistest.Server)) error {
	masters := e.Masters(ctx)
	if len(masters) == 0 {
		return errNoMaster
	}
	e.struck = masters[e.turn%len(masters)]
	e.turn++
	how(e.struck)
	return e.AwaitFailover(ctx, e.struck) //nolint:wrapcheck // the director says what it was
}

func (e *election) restart(ctx context.Context, _ int) error {
	e.struck.Restart()
	if err := e.Quicken(ctx, e.struck); err != nil {
		return fmt.Errorf("quicken a node: %w", err)
	}
	return e.AwaitHealthy(ctx) //nolint:wrapcheck // the director says what it was
}

func (e *election) thaw(ctx context.Context, _ int) error {
	e.struck.Resume()
	return e.AwaitHealthy(ctx) //nolint:wrapcheck // the director says what it was
}
