package chaos

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	healWithin = 90 * time.Second // elections and restarts on a busy machine
	// lateness is how long a strike waits for its target to be healed. Then it
	// is left out, so that the faults end when the schedule does.
	lateness = 2 * time.Second
)

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
	due, victim := time.Now(), d.lock(b.victim())
	victim.Lock()
	defer victim.Unlock()
	if time.Since(due) > lateness {
		d.w.tally.count("faults left out: " + b.kind + " of " + b.target)
		return nil
	}
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

func (d *director) lock(victim string) *sync.Mutex {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked == nil {
		d.locked = map[string]*sync.Mutex{}
	}
	if d.locked[victim] == nil {
		d.locked[victim] = &sync.Mutex{}
	}
	return d.locked[victim]
}
