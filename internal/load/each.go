package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

const (
	// manySessions have one reader each.
	manySessions = 1000
	// eachBursts are how many bursts every session sends.
	eachBursts = 2
)

// measureEach is what a delivery costs where each session has one reader: what
// makes the events included, since it is done for each of them.
func measureEach(ctx context.Context, o options) ([]row, error) {
	var costs []cost
	for range o.rounds {
		c, err := eachOnce(ctx, o)
		if err != nil {
			return nil, err
		}
		costs = append(costs, c)
	}
	name := fmt.Sprintf("%d sessions with one reader each, ", manySessions)
	return []row{
		{name + "deliveries", perSecond(medianOf(costs, rateOf)), "–", 0, 0},
		{name + "CPU per delivery, its commit included", micros(medianOf(costs, cpuOf)), "–", 0, 0},
	}, nil
}

func eachOnce(ctx context.Context, o options) (cost, error) {
	p, err := peer(ctx, o, "gateway")
	if err != nil {
		return cost{}, err
	}
	defer p.end()
	c := &crowd{}
	defer c.close()
	sids := make([]string, manySessions)
	for i := range sids {
		if sids[i], err = p.createSession(ctx, chatty); err != nil {
			return cost{}, err
		}
		p.path = "/v1/sessions/" + sids[i] + "/events?after=latest"
		if err := c.openOne(ctx, p); err != nil {
			return cost{}, err
		}
	}
	return measured(p.cpu, func() (int, error) {
		base, want := c.seen.Load(), len(sids)*eachBursts*burst
		if err := p.publishEach(ctx, sids); err != nil {
			return 0, err
		}
		return want, await(ctx, func() bool { return c.seen.Load()-base >= int64(want) })
	})
}

// publishEach sends bursts to all sessions.
func (p *process) publishEach(ctx context.Context, sids []string) error {
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for i := w; i < len(sids)*eachBursts; i += workers {
				if err := p.burstTo(ctx, sids[i%len(sids)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
