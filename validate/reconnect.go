package validate

import (
	"context"
	"fmt"
	"slices"

	"github.com/session-gateway/gateway/client"
)

// probeReconnect cuts a stream in the middle of a batch and goes on at the next
// address.
func (r *run) probeReconnect(ctx context.Context) ([]Violation, error) {
	if len(r.samples) == 0 {
		return nil, notShown("there is no call that the host could run")
	}
	s := r.main()
	before, err := r.key.Session(ctx, s.sid)
	if err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	var calls []client.NativeCall
	for _, sample := range r.samples {
		calls = append(calls, r.call(sample))
	}
	b, err := s.play(ctx, calls...)
	if err != nil {
		return s.found, err
	}
	whole, err := r.tell(ctx, 0, before.LastEventID, endOf(b.ID))
	if err != nil {
		return s.found, err
	}
	if err := s.cut(ctx, b, before.LastEventID, whole); err != nil {
		return s.found, err
	}
	return s.found, s.everywhere(ctx, b)
}

// cut reads up to a batch's start at one address, and on from there at the next.
func (s *stage) cut(ctx context.Context, b client.Batch, after string, whole []string) error {
	for i := range s.Bases {
		told, err := s.tell(ctx, i, after, isStart(b.ID))
		if err != nil {
			return err
		}
		rest, err := s.tell(ctx, i+1, told[len(told)-1], endOf(b.ID))
		if err != nil {
			return err
		}
		if !slices.Equal(append(told, rest...), whole) {
			s.breach(CodeStreamDiffers, b, -1, "cut at address %d and resumed at the next: %d events and %d, not %d", i+1, len(told), len(rest), len(whole))
		}
	}
	return nil
}

// tell reads the ids of events at an address, up to one that is wanted.
func (r *run) tell(ctx context.Context, address int, after string, last func(client.Event) bool) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	c, err := r.dial(r.Key, r.Bases[address%len(r.Bases)])
	if err != nil {
		return nil, err
	}
	var ids []string
	for e, err := range c.Events(ctx, r.Session, client.StreamOptions{After: after}) {
		if err != nil {
			return nil, fmt.Errorf("read the stream at address %d: %w", address%len(r.Bases)+1, err)
		}
		event, err := e.Event()
		if err != nil {
			return nil, fmt.Errorf("read the stream at address %d: %w", address%len(r.Bases)+1, err)
		}
		ids = append(ids, e.ID)
		if last(event) {
			return ids, nil
		}
	}
	return nil, errOver
}

func isStart(bid string) func(client.Event) bool { return isOf(client.EventTypeBatchStarted, bid) }

func endOf(bid string) func(client.Event) bool { return isOf(client.EventTypeBatchCompleted, bid) }

func isOf(kind client.EventType, bid string) func(client.Event) bool {
	return func(e client.Event) bool { return e.Type == kind && e.BatchID != nil && *e.BatchID == bid }
}

// everywhere wants the same results at every address.
func (s *stage) everywhere(ctx context.Context, b client.Batch) error {
	for i, base := range s.Bases {
		c, err := s.dial(s.Key, base)
		if err != nil {
			return err
		}
		there, err := c.Batch(ctx, s.sid, b.ID)
		if err != nil {
			return fmt.Errorf("read the batch at address %d: %w", i+1, err)
		}
		for k, call := range there.Calls {
			if call.Result == nil || call.Result.Output != b.Calls[k].Result.Output || reasonOf(call.Result) != reasonOf(b.Calls[k].Result) {
				s.breach(CodeReplicaDiffers, b, k, "address %d has another result", i+1)
			}
		}
	}
	return nil
}
