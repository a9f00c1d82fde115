package chaos

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

const (
	// How long each scenario is struck.
	shortLength = 6 * time.Second
	longLength  = 24 * time.Second
	// How long all may take to come to an end once nothing is broken any more,
	// and to be read again; the short version runs beside all other tests.
	settleBusy   = 3 * time.Minute
	settleWithin = time.Minute
)

// TestChaos is the whole: see the package comment and docs/chaos.md.
func TestChaos(t *testing.T) {
	t.Parallel()
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64N(1e9) + 1
	}
	for i, s := range []struct {
		name  string
		brief bool // part of the short version
		with  func(*testing.T) setup
	}{
		{"one Redis", true, single},
		{"Sentinel", false, sentinel},
		{"Sentinel replicated", true, replicated(sentinel, 2)},
		{"cluster", true, cluster},
		{"cluster replicated", false, replicated(cluster, 1)},
	} {
		if !s.brief && !*long {
			continue // part of make chaos
		}
		t.Run(s.name, func(t *testing.T) { scenario(t, s.with, seed+uint64(i)) })
	}
}

// scenario is one setup under one schedule.
func scenario(t *testing.T, with func(*testing.T) setup, seed uint64) {
	length := either(*lengthFlag, choose(shortLength, longLength))
	w, faults := open(t, with)
	blows := schedule(chanceFor(seed), faults, length)
	t.Logf("seed %d\n%s", seed, script(blows))
	defer w.report(seed)
	ctx, cancel := context.WithTimeout(t.Context(), length+choose(settleBusy, settleWithin))
	defer cancel()

	o := w.oversee(ctx, seed)
	rooms, group := w.populate(ctx, seed)
	err := (&director{w: w}).run(ctx, blows)
	close(w.rest)
	w.laps.end("of faults, until the last was healed")
	require.NoError(t, err)
	require.NoError(t, group.Wait())
	w.laps.end("until everybody had seen the end")
	require.NoError(t, o.conclude(ctx, rooms))
	w.laps.end("until the tenant's stream had it, too")
	w.audit(ctx, rooms, o.seen)
	w.laps.end("of reading everything again")
	w.judge()
	w.laps.end("of judging the histories")
}

// open starts Redis and the gateways, and says what can happen to them.
func open(t *testing.T, with func(*testing.T) setup) (*world, []fault) {
	t.Helper()
	l := newLaps()
	program(t)
	l.end("until the gateway was built")
	s := with(t)
	l.end("until Redis ran")
	w := newWorld(t, s.promise, s.urls, append(s.flags, strings.Fields(*gatewayFlags)...)...)
	l.end("until the gateways ran")
	w.laps = l
	return w, append(w.faults(), s.faults...)
}

// populate opens the rooms.
func (w *world) populate(ctx context.Context, seed uint64) ([]*room, *errgroup.Group) {
	var rooms []*room
	group := &errgroup.Group{}
	for i := range either(*crowdFlag, choose(8, 200)) {
		r := newRoom(w, seed, uint64(i))
		rooms = append(rooms, r)
		group.Go(func() error { return r.run(ctx) })
	}
	return rooms, group
}

// either is the first value, or the second where the first is nothing.
func either[T comparable](value, otherwise T) T {
	var nothing T
	if value == nothing {
		return otherwise
	}
	return value
}

// report prints the counts and fails with what was wrong.
func (w *world) report(seed uint64) {
	for _, p := range w.fleet {
		if err := p.crashed(); err != nil {
			w.wrong("%v", err)
		}
		lines, err := p.complaints()
		require.NoError(w.t, err)
		for _, line := range lines {
			w.wrong("a gateway logged: %s", line)
		}
	}
	w.t.Logf("seed %d\n%s\n%s", seed, w.tally.String(), w.laps)
	shown := w.violations[:min(len(w.violations), maxViolations)]
	if len(shown) > 0 {
		w.t.Errorf("seed %d: %d violations\n%s", seed, len(w.violations), strings.Join(shown, "\n"))
	}
}
