package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
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
	var rates, costs []float64
	for range o.rounds {
		rate, cost, err := eachOnce(ctx, o)
		if err != nil {
			return nil, err
		}
		rates, costs = append(rates, rate), append(costs, cost)
	}
	name := fmt.Sprintf("%d sessions with one reader each, ", manySessions)
	return []row{
		{name + "deliveries", perSecond(median(rates)), "–", 0, 0},
		{name + "CPU per delivery, its commit included", micros(median(costs)), "–", 0, 0},
	}, nil
}

func eachOnce(ctx context.Context, o options) (rate, cost float64, err error) {
	p, err := peer(ctx, o, "gateway")
	if err != nil {
		return 0, 0, err
	}
	defer p.end()
	c := &crowd{}
	defer c.close()
	paths := make([]string, manySessions)
	for i := range paths {
		sid, err := p.createSession(ctx, chatty)
		if err != nil {
			return 0, 0, err
		}
		paths[i] = "/v1/sessions/" + sid + "/events?after=latest"
		p.path = paths[i]
		if err := c.openOne(ctx, p); err != nil {
			return 0, 0, err
		}
	}
	return p.publishEach(ctx, c, paths)
}

// publishEach sends bursts to all sessions and waits until they are read.
func (p *process) publishEach(ctx context.Context, c *crowd, paths []string) (rate, cost float64, err error) {
	before, err := p.cpu()
	if err != nil {
		return 0, 0, err
	}
	began, base := time.Now(), c.seen.Load()
	errs := make(chan error, workers)
	var g sync.WaitGroup
	for w := range workers {
		g.Go(func() {
			for i := w; i < len(paths)*eachBursts; i += workers {
				if err := p.burstTo(ctx, strings.Split(paths[i%len(paths)], "/")[3]); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	g.Wait()
	select {
	case err := <-errs:
		return 0, 0, err
	default:
	}
	want := int64(len(paths) * eachBursts * burst)
	if err := await(ctx, func() bool { return c.seen.Load()-base >= want }); err != nil {
		return 0, 0, err
	}
	took := time.Since(began)
	after, err := p.cpu()
	return float64(want) / took.Seconds(), (after - before).Seconds() / float64(want), err
}
