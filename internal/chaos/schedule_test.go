package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	healWithin = 90 * time.Second // elections and restarts on a busy machine
	// Between two strikes. They overlap, but not on the same target.
	shortestGap = 300 * time.Millisecond
	longestGap  = 1500 * time.Millisecond
)

// fault is something that can happen to one of several targets.
type fault struct {
	kind    string
	target  string // what is struck; two strikes on the same one wait for each other
	targets int
	// lasts is how long it lasts at least and at most.
	lasts        [2]time.Duration
	strike, heal func(ctx context.Context, target int) error
}

// blow is one entry of the schedule.
type blow struct {
	fault
	at, lasting time.Duration
	on          int
}

func (b blow) String() string {
	return fmt.Sprintf("%7.3fs %s of %s %d for %v", b.at.Seconds(), b.kind, b.target, b.on, b.lasting)
}

// schedule draws blows for a time. Every kind comes once before one comes twice.
func schedule(chance *rand.Rand, faults []fault, length time.Duration) []blow {
	var blows []blow
	var bag []int
	for at := gap(chance); at < length; at += gap(chance) {
		if len(bag) == 0 {
			bag = chance.Perm(len(faults))
		}
		f := faults[bag[0]]
		bag = bag[1:]
		blows = append(blows, blow{
			fault: f, at: at.Round(time.Millisecond), on: chance.IntN(f.targets),
			lasting: between(chance, f.lasts[0], f.lasts[1]).Round(time.Millisecond),
		})
	}
	return blows
}

func gap(chance *rand.Rand) time.Duration { return between(chance, shortestGap, longestGap) }

func between(chance *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(chance.Int64N(int64(high-low)+1))
}

// director carries a schedule out.
type director struct {
	w *world

	mu     sync.Mutex // guards the map
	locked map[string]*sync.Mutex
}

// run strikes in time and comes back when everything is healed.
func (d *director) run(ctx context.Context, blows []blow) error {
	begin := time.Now()
	var g errgroup.Group
	for _, b := range blows {
		if err := pause(ctx, b.at-time.Since(begin)); err != nil {
			break // what was struck is healed below
		}
		g.Go(func() error { return d.deal(ctx, b) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("carry out the schedule: %w", err)
	}
	return nil
}

func (d *director) deal(ctx context.Context, b blow) error {
	target := d.lock(fmt.Sprint(b.target, b.on))
	target.Lock()
	defer target.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healWithin)
	defer cancel()
	d.w.tally.count("faults: " + b.kind + " of " + b.target)
	if err := b.strike(ctx, b.on); err != nil {
		return fmt.Errorf("%v: %w", b, err)
	}
	if err := pause(ctx, b.lasting); err != nil {
		return fmt.Errorf("%v: %w", b, err)
	}
	if err := b.heal(ctx, b.on); err != nil {
		return fmt.Errorf("%v: heal: %w", b, err)
	}
	return nil
}

func (d *director) lock(target string) *sync.Mutex {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked == nil {
		d.locked = map[string]*sync.Mutex{}
	}
	if d.locked[target] == nil {
		d.locked[target] = &sync.Mutex{}
	}
	return d.locked[target]
}

// script is a schedule to be printed.
func script(blows []blow) string {
	var text strings.Builder
	for _, b := range blows {
		fmt.Fprintln(&text, " ", b)
	}
	return text.String()
}
