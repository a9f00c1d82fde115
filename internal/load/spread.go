package main

import (
	"context"
	"fmt"
	"time"
)

// spread is how a load is put on gateways.
type spread struct {
	replicas int
	settled  bool // each session's requests stay at one of them
	paced    bool // pacedBatches a second, for which there is room
}

// pacedBatches are about half of what the two cores do in a second.
const pacedBatches = 640

// spreads are measured in turn.
var spreads = []spread{
	{replicas: 1},
	{replicas: 2},
	{replicas: 3},
	{replicas: 3, settled: true},
	{replicas: 1, paced: true},
	{replicas: 3, paced: true},
}

// measureReplicas is what several replicas do beside one: how many batches while
// there is room, and what a batch costs when both cores are full. Requests go to
// replicas in turn, so that each finds a session that another wrote last, or
// stay with a session's replica, as behind a balancer that goes by the session.
func measureReplicas(ctx context.Context, o options) ([]row, error) {
	costs := map[spread][]cost{}
	for range o.rounds {
		for _, s := range spreads {
			c, err := s.run(ctx, o)
			if err != nil {
				return nil, err
			}
			costs[s] = append(costs[s], c)
		}
	}
	return spreadRows(costs), nil
}

func spreadRows(costs map[spread][]cost) []row {
	cpu := func(what string, these, those spread, goal float64) row {
		ours, theirs := medianOf(costs[these], cpuOf), medianOf(costs[those], cpuOf)
		return row{"CPU of a 4-call batch, both cores full, on " + what, micros(ours), micros(theirs), ours / theirs, goal}
	}
	rate := func(what string, these, those spread, goal float64) row {
		ours, theirs := medianOf(costs[these], rateOf), medianOf(costs[those], rateOf)
		return row{"4-call batches a second, " + what, perSecond(ours), perSecond(theirs), ours / theirs, goal}
	}
	one, two, three := spread{replicas: 1}, spread{replicas: 2}, spread{replicas: 3}
	settled := spread{replicas: 3, settled: true}
	paced, pacedThree := spread{replicas: 1, paced: true}, spread{replicas: 3, paced: true}
	return []row{
		rate(fmt.Sprintf("%d asked for, one replica beside 3, each request at the next", pacedBatches), paced, pacedThree, 1.10),
		rate("both cores full, one replica beside 2, each request at the next", one, two, 0),
		rate("both cores full, one replica beside 3, each request at the next", one, three, 0),
		rate("both cores full, one replica beside 3, each session at one of them", one, settled, 0),
		cpu("2 replicas beside one, each request at the next", two, one, 1.10),
		cpu("3 replicas beside one, each request at the next", three, one, 1.10),
		cpu("3 replicas beside one, each session at one of them", settled, one, 1.10),
		cpu("3 replicas, each request at the next beside each session at one of them", three, settled, 0),
	}
}

func perSecond(n float64) string { return fmt.Sprintf("%.0f /s", n) }

// run is what the load costs once.
func (s spread) run(ctx context.Context, o options) (cost, error) {
	w, err := startWork(ctx, o, s.replicas)
	if err != nil {
		return cost{}, err
	}
	defer w.end()
	w.calls, w.batches, w.workers, w.settled = 4, 100, crowdOfWorkers, s.settled
	if s.paced {
		w.pace = time.Second * crowdOfWorkers / pacedBatches
	}
	return w.run(ctx)
}
