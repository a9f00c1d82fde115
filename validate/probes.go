package validate

import (
	"context"
	"errors"
	"slices"
	"time"
)

// probe is one thing that a validation tries.
type probe struct {
	name, shows string
	run         func(*run, context.Context) ([]Violation, error)
}

// probes are all of them, in their order: what leaves plan mode by a person's
// act is followed by a batch that takes up the notice of it, so that the host's
// model is not told of a mode that it never saw. The turn comes last, since its
// model did.
var probes = []probe{
	{"calls", "the host runs each call that it is offered once, claims it first and reports it", (*run).probeCalls},
	{"entry first", "an entry before other calls: they are not run, the reminder is complete", entryAt(0)},
	{"entry in the middle", "an entry between other calls: they are not run, the reminder is complete", entryAt(1)},
	{"entry last", "an entry behind other calls: they are not run, the reminder is complete", entryAt(2)},
	{"entry again", "an entry in plan mode gives the same reminder and changes nothing", (*run).probeAgain},
	{"duplicates around an entry", "a call sent before, and one sent twice, are answered as duplicates and not run", (*run).probeDuplicates},
	{"reconnect", "a stream that was cut in a batch goes on elsewhere, with nothing missing and nothing twice", (*run).probeReconnect},
	{"unsolicited yolo", "an entry that nobody asked for does not lead out of yolo", (*run).probeYolo},
	{"tiny limits", "the reminder is complete where outputs are limited to one character", (*run).probeLimits},
	{"exit", "a rejected exit stays in plan mode; one that a second person approves leads out", (*run).probeExit},
	{"turn", "a turn of the host: its next model requests have the complete reminder and the denials", (*run).probeTurn},
	{"canary", "a writing call of the host's model beside an entry left no trace", (*run).probeCanary},
}

// probeAll runs every probe. One that can't be made doesn't keep the others from
// being.
func (r *run) probeAll(ctx context.Context) error {
	for _, p := range probes {
		began := time.Now()
		found, err := p.run(r, ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := Check{Name: p.name, Shows: p.shows, Outcome: Passed, Violations: found}
		if err := errors.Join(err, r.restoreMode(ctx)); err != nil {
			c.Outcome, c.Reason = Failed, err.Error()
			if _, ok := errors.AsType[*notShownError](err); ok {
				c.Outcome = NotShown
			}
		}
		c.Seconds = time.Since(began).Seconds()
		r.report.add(c)
		if errors.Is(err, ErrBusy) || errors.Is(err, errOver) || errors.Is(err, errReset) {
			return err
		}
	}
	r.report.add(r.streamItself())
	return nil
}

// streamItself is about all that was told while the probes ran: its order, and
// what came after a batch had been judged.
func (r *run) streamItself() Check {
	c := Check{Name: "the stream", Shows: "every event of the session was told once, in order, and nothing after a call's end", Outcome: Passed}
	r.feed.look(func(h *history) {
		if len(h.order) == 0 { // what is told of an idle session shows little
			c.Outcome, c.Reason = NotShown, "no batch began"
		}
		c.Violations = slices.Clone(h.broken)
		for _, b := range h.order {
			c.Violations = append(c.Violations, h.judge(b, r.limits)...)
		}
	})
	c.Violations = slices.DeleteFunc(c.Violations, r.report.has)
	return c
}
