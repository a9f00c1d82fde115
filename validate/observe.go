package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// maxRendered is how many batches of real traffic are looked at in every format:
// each takes six requests.
const maxRendered = 200

// afterwards is how long that may take.
const afterwards = 2 * time.Minute

// observe watches for the time that was set and judges what it saw.
func (r *run) observe(ctx context.Context) error {
	err := r.feed.await(ctx, r.Observe, func(*history) bool { return false })
	if errors.Is(err, errPatience) || errors.Is(err, errOver) || ctx.Err() != nil {
		err = nil // whoever interrupts it has seen enough
	}
	r.catchUp(ctx)
	r.feed.look(r.judgeAll)
	r.report.add(r.streamItself())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterwards)
	defer cancel()
	return errors.Join(err, r.observeRenderings(ctx))
}

// catchUp lets the view of an editor come to where the events are. What it does
// not come to is found by the rules.
func (r *run) catchUp(ctx context.Context) {
	_ = r.feed.await(context.WithoutCancel(ctx), r.Patience, func(h *history) bool {
		return !slices.ContainsFunc(h.order, func(b *batch) bool { return b.ends > 0 && !h.toldAll(b) })
	})
}

// judgeAll makes a check of each topic.
func (r *run) judgeAll(h *history) {
	for _, t := range topics {
		c := Check{Name: t.name, Shows: t.shows, Outcome: NotShown, Reason: t.lack}
		for _, b := range h.order {
			if t.about(b) {
				c.Outcome, c.Reason = Passed, ""
			}
			for _, rule := range t.rules {
				c.Violations = append(c.Violations, rule(h, b, r.limits)...)
			}
		}
		r.report.add(c)
	}
}

// observeRenderings looks at what the gateway would have models told of the
// newest batches.
func (r *run) observeRenderings(ctx context.Context) error {
	c := Check{Name: "next requests", Shows: "in every format, the complete reminder and every denial", Outcome: Passed}
	ids, left := r.endedBatches()
	for _, bid := range ids {
		b, err := r.key.Batch(ctx, r.Session, bid)
		if err != nil {
			return fmt.Errorf("read a batch: %w", err)
		}
		r.feed.look(func(h *history) { c.Violations = append(c.Violations, h.differing(h.batches[bid], b)...) })
		found, err := r.renderings(ctx, r.Session, b)
		if err != nil {
			return err
		}
		c.Violations = append(c.Violations, found...)
	}
	switch {
	case len(ids) == 0:
		c.Outcome, c.Reason = NotShown, "no batch ended"
	case left > 0:
		c.Reason = fmt.Sprintf("%d older batches were not looked at", left)
	}
	r.report.add(c)
	return nil
}

// endedBatches are the newest batches that ended, and how many more did.
func (r *run) endedBatches() (ids []string, left int) {
	r.feed.look(func(h *history) {
		for _, b := range h.order {
			if b.ends > 0 {
				ids = append(ids, b.id)
			}
		}
	})
	left = max(0, len(ids)-maxRendered)
	return ids[left:], left
}
