package validate

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// notShownError says why a check could not be made; it is no breach.
type notShownError struct{ reason string }

// Error is the reason.
func (e *notShownError) Error() string { return e.reason }

func notShown(format string, args ...any) error { return &notShownError{fmt.Sprintf(format, args...)} }

// stage is a session that probes are played on, and what was found there.
type stage struct {
	*run
	sid   string
	feed  *feed
	found []Violation
}

// main is the session that is validated.
func (r *run) main() *stage { return &stage{run: r, sid: r.Session, feed: r.feed} }

// child makes a session below the one that is validated, where modes may be
// touched and no host is attached, and plays on it.
func (r *run) child(ctx context.Context, spec client.SessionSpec, play func(*stage) error) ([]Violation, error) {
	spec.ParentSessionID, spec.Agent = &r.Session, new(client.Main)
	s, err := open(ctx, func(ctx context.Context) (client.SessionDocument, error) { return r.key.CreateSession(ctx, spec) })
	if err != nil {
		return nil, fmt.Errorf("create a child session: %w", err)
	}
	r.undo.children = append(r.undo.children, s.ID)
	f, err := watch(ctx, r.key, s.ID, r.Patience)
	if err != nil {
		return nil, err
	}
	defer f.stop()
	st := &stage{run: r, sid: s.ID, feed: f}
	err = play(st)
	return st.found, err
}

// id makes an id that no call or turn of the session has.
func (r *run) id() string {
	r.calls++
	return fmt.Sprintf("%s_%d", r.name, r.calls)
}

// call makes a call of a sample.
func (r *run) call(s sample) client.NativeCall {
	return client.NativeCall{ID: new(r.id()), Name: s.tool, Arguments: s.arguments}
}

// entry makes an entry into plan mode. A person asked for it, so that it leads
// there from every mode.
func (r *run) entry() client.NativeCall {
	return r.call(sample{entryTool, []byte(`{"userRequested":true}`)})
}

// play submits calls, lets the host run them, and judges what was seen. Nobody
// is asked: a batch that waits for a person is taken back.
func (s *stage) play(ctx context.Context, calls ...client.NativeCall) (client.Batch, error) {
	b, err := s.submit(ctx, calls...)
	if err != nil {
		return b, err
	}
	asked := ""
	err = s.feed.await(ctx, s.Patience, func(h *history) bool {
		seen := h.batches[b.ID]
		if seen != nil {
			asked = seen.asked
		}
		return seen != nil && (seen.ends > 0 || asked != "")
	})
	if err == nil && asked != "" {
		return b, errors.Join(notShown("%s is asked about", asked), s.abort(ctx, b.ID))
	}
	return s.settle(ctx, b.ID, err)
}

func (s *stage) submit(ctx context.Context, calls ...client.NativeCall) (client.Batch, error) {
	// A turn of its own begins a new count of repetitions.
	b, err := open(ctx, func(ctx context.Context) (client.Batch, error) {
		return s.key.Submit(ctx, s.sid, client.BatchSubmission{TurnID: new(s.id()), Calls: &calls})
	})
	if client.Is(err, client.CodeBatchInProgress) || client.Is(err, client.CodeTurnMismatch) {
		return b, ErrBusy
	}
	if err != nil {
		return b, fmt.Errorf("submit calls: %w", err)
	}
	s.undo.opened(s.sid, b.ID)
	return b, nil
}

func (s *stage) abort(ctx context.Context, bid string) error {
	if _, err := s.key.Abort(ctx, s.sid, bid); err != nil {
		return fmt.Errorf("abort the batch: %w", err)
	}
	delete(s.undo.batches, bid)
	return nil
}

// end waits for a batch's end on the stream, and judges it.
func (s *stage) end(ctx context.Context, bid string) (client.Batch, error) {
	return s.settle(ctx, bid, s.feed.await(ctx, s.Patience, func(h *history) bool {
		return h.batches[bid] != nil && h.batches[bid].ends > 0
	}))
}

// settle judges a batch by how waiting for its end came out. One that didn't end
// is a breach of whoever has its open calls.
func (s *stage) settle(ctx context.Context, bid string, err error) (client.Batch, error) {
	if errors.Is(err, errPatience) {
		s.blame(bid)
		return client.Batch{}, errors.Join(notShown("a batch did not end within %v", s.Patience), s.abort(ctx, bid))
	}
	if err != nil {
		return client.Batch{}, err
	}
	delete(s.undo.batches, bid)
	b, err := s.key.Batch(ctx, s.sid, bid)
	if err != nil {
		return b, fmt.Errorf("read the batch: %w", err)
	}
	return b, s.examine(ctx, b)
}

// blame names who has the open calls of a batch.
func (s *stage) blame(bid string) {
	s.feed.look(func(h *history) {
		b := h.batches[bid]
		if b == nil {
			b = &batch{id: bid}
		}
		before := len(s.found)
		for _, c := range b.calls {
			switch {
			case len(c.results) > 0:
			case len(c.claims) > 0:
				s.found = append(s.found, h.breach(CodeResultDropped, b, c, "claimed, and not reported within %v", s.Patience))
			case len(c.offers) > 0:
				s.found = append(s.found, h.breach(CodeCallIgnored, b, c, "offered, and not claimed within %v", s.Patience))
			}
		}
		if len(s.found) == before {
			s.found = append(s.found, h.breach(CodeEndMissing, b, nil, "no end within %v", s.Patience))
		}
	})
}

// examine judges an ended batch: by what both views told, by what the gateway
// answers about it, and by what it would have its model told.
func (s *stage) examine(ctx context.Context, b client.Batch) error {
	err := s.feed.await(ctx, s.Patience, func(h *history) bool { return h.toldAll(h.batches[b.ID]) })
	if err != nil && !errors.Is(err, errPatience) { // what was not told is found below
		return err
	}
	s.feed.look(func(h *history) {
		seen := h.batches[b.ID]
		s.found = append(s.found, h.judge(seen, s.limits)...)
		s.found = append(s.found, h.differing(seen, b)...)
	})
	found, err := s.renderings(ctx, s.sid, b)
	s.found = append(s.found, found...)
	return err
}

// breach notes a violation at a call of a batch.
func (s *stage) breach(code Code, b client.Batch, position int, format string, args ...any) {
	v := Violation{Code: code, Party: partyOf(code), Session: s.sid, BatchID: b.ID, Detail: fmt.Sprintf(format, args...)}
	if position >= 0 && position < len(b.Calls) {
		v.Position, v.CallID = &position, b.Calls[position].ID
	}
	s.found = append(s.found, v)
}
