package chaos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

// setup is a way to run Redis, and what can happen to it.
type setup struct {
	promise promise
	urls    []string // for one gateway each, or one for all
	faults  []fault
	hold    fault    // of replicated writes alone
	flags   []string // of the gateways
}

// replicated is a setup whose gateways acknowledge what all replicas have.
func replicated(with func(*testing.T) setup, replicas int) func(*testing.T) setup {
	return func(t *testing.T) setup {
		s := with(t)
		s.faults = append(s.faults, s.hold)
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
		fault{"restart", "Redis", 1, breath, afterStart, quietly(s.Kill), quietly(s.Restart)},
		fault{"freeze", "Redis", 1, faint, afterStart, quietly(s.Pause), quietly(s.Resume)},
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
		{"failover", "Redis", 1, breath, afterFailover, s.killPrimary, s.rejoin},
		{"freeze until a failover", "Redis", 1, breath, afterFailover, s.freezePrimary, s.thaw},
	}, hold: fault{"freeze of a replica", "Redis", 1, faint, afterStart, s.freezeReplica, s.thaw}}
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

// freezeReplica makes replicated writes wait, for longer than a gateway does.
func (f *failover) freezeReplica(ctx context.Context, _ int) error {
	primary, err := f.primary(ctx)
	if err != nil {
		return err
	}
	f.struck = another(f.Nodes, primary)
	f.struck.Pause()
	return nil
}

func (f *failover) primary(ctx context.Context) (*redistest.Server, error) {
	primary, err := f.Primary(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the primary: %w", err)
	}
	return primary, nil
}

// another is the first of the nodes that is none of these.
func another(nodes []*redistest.Server, than ...*redistest.Server) *redistest.Server {
	return nodes[slices.IndexFunc(nodes, func(n *redistest.Server) bool { return !slices.Contains(than, n) })]
}

func (f *failover) strike(ctx context.Context, how func(*redistest.Server)) error {
	primary, err := f.primary(ctx)
	if err != nil {
		return err
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

// silent is how long a node may be silent before its replica takes over: so
// short that there is time to work between two failovers.
const silent = 2 * time.Second

// cluster is three masters with a replica each.
func cluster(t *testing.T) setup {
	c := &election{ReplicatedCluster: redistest.StartReplicatedCluster(t)}
	for _, n := range c.Nodes {
		require.NoError(t, c.Quicken(t.Context(), n, silent))
	}
	return setup{promise: lossAnnounced, urls: []string{c.URL()}, faults: []fault{
		{"failover", "Redis", 1, breath, afterFailover, c.killMaster, c.restart},
		{"freeze until a failover", "Redis", 1, breath, afterFailover, c.freezeMaster, c.thaw},
	}, hold: fault{"freeze of a replica", "Redis", 1, faint, afterStart, c.freezeReplica, c.thaw}}
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

func (e *election) freezeReplica(ctx context.Context, _ int) error {
	e.struck = another(e.Nodes, e.Masters(ctx)...)
	e.struck.Pause()
	return nil
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
	if err := e.Quicken(ctx, e.struck, silent); err != nil {
		return fmt.Errorf("quicken a node: %w", err)
	}
	return e.AwaitHealthy(ctx) //nolint:wrapcheck // the director says what it was
}

func (e *election) thaw(ctx context.Context, _ int) error {
	e.struck.Resume()
	return e.AwaitHealthy(ctx) //nolint:wrapcheck // the director says what it was
}
