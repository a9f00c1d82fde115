package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// latencyPace is the fixed rate at which events are published: 50 a second.
	latencyPace = 20 * time.Millisecond
	// latencyReaders watch the session meanwhile; the last of them counts.
	latencyReaders = 100
	latencyEvents  = 100
)

// measureLatency is how long an event takes from being published to being read
// by all, at a fixed rate. The driver shares the machine with the servers.
func measureLatency(ctx context.Context, o options) ([]row, error) {
	half, most := map[string][]float64{}, map[string][]float64{}
	for range o.rounds {
		for _, kind := range []string{"gateway", "r3labs"} {
			took, err := latencies(ctx, o, kind)
			if err != nil {
				return nil, err
			}
			half[kind] = append(half[kind], took[len(took)/2])
			most[kind] = append(most[kind], took[len(took)*99/100])
		}
	}
	name := fmt.Sprintf("publish → read by %d readers, 50 events a second, ", latencyReaders)
	compare := func(what string, of map[string][]float64) row {
		ours, theirs := median(of["gateway"]), median(of["r3labs"])
		return row{name + what + ", beside r3labs", millis(ours), millis(theirs), ours / theirs, 0}
	}
	return []row{compare("p50", half), compare("p99", most)}, nil
}

func millis(seconds float64) string { return fmt.Sprintf("%.2f ms", seconds*1e3) }

// latencies are the seconds that events took, the shortest first.
func latencies(ctx context.Context, o options, kind string) ([]float64, error) {
	p, err := peer(ctx, o, kind)
	if err != nil {
		return nil, err
	}
	defer p.end()
	c := &crowd{}
	if err := c.open(ctx, p, latencyReaders); err != nil {
		return nil, err
	}
	defer c.close()
	took := make([]float64, 0, latencyEvents)
	for n := range latencyEvents {
		want := c.seen.Load() + latencyReaders
		began := time.Now()
		err := errors.Join(p.publish(ctx, kind, n), spin(ctx, func() bool { return c.seen.Load() >= want }))
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began).Seconds())
		if err := pause(ctx, latencyPace-time.Since(began)); err != nil {
			return nil, err
		}
	}
	slices.Sort(took)
	return took, nil
}

// spin is await for what takes less than a millisecond.
func spin(ctx context.Context, done func() bool) error {
	const step = 50 * time.Microsecond
	for end := time.Now().Add(awaitLimit); !done(); {
		if time.Now().After(end) {
			return errors.New("waiting took too long")
		}
		if err := pause(ctx, step); err != nil {
			return err
		}
	}
	return nil
}
