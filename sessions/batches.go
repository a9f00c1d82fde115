package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// The bounds of a batch.
const (
	MaxCalls         = 256
	MaxBatches       = 10_000  // of a session; the oldest goes when another one comes
	MaxArgumentBytes = 1 << 20 // of one call
	MaxNameBytes     = 256
	MaxIDBytes       = 512
	MaxWait          = time.Minute // of a long-poll
	pollEvery        = 5 * time.Second
	defaultBatches   = 20
	maxBatches       = 100
)

// batchAt is a batch of a session, open or ended.
type batchAt struct {
	doc     *document
	batch   *scheduler.Batch
	message []byte
}

// find reads a batch by its number.
func (s *Service) find(ctx context.Context, d *document, number uint64) (batchAt, error) {
	if b := d.openBatch(); b != nil && b.Number == number {
		return batchAt{d, b, d.message}, nil
	}
	fields, err := s.store.Batch(ctx, d.topic, number)
	if errors.Is(err, store.ErrNotFound) {
		return batchAt{}, errNotFound("batch")
	}
	if err != nil {
		return batchAt{}, storeProblem(err)
	}
	b, message, err := decodeBatch(fields)
	return batchAt{d, b, message}, err
}

// readBatch reads a batch by its id.
func (s *Service) readBatch(ctx context.Context, c tenants.Caller, sid, bid string) (batchAt, error) {
	number, ok := batchNumber(sid, bid)
	if !ok {
		return batchAt{}, errNotFound("batch")
	}
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return batchAt{}, err
	}
	return s.find(ctx, d, number)
}

// Batch is one batch; wait (at most MaxWait) lets it end first.
func (s *Service) Batch(ctx context.Context, c tenants.Caller, sid, bid string, wait time.Duration) (Batch, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Batch{}, err
	}
	if wait <= 0 {
		at, err := s.readBatch(ctx, c, sid, bid)
		return at.viewFor(c), err
	}
	woken, leave := s.waiters.join(t)
	defer leave()
	until := time.NewTimer(min(wait, MaxWait))
	defer until.Stop()
	at, err := s.await(ctx, until.C, woken, func() (batchAt, error) { return s.readBatch(ctx, c, sid, bid) })
	return at.viewFor(c), err
}

// await looks at a batch until it has ended or the time is up. It looks every
// few seconds unasked, because a wake-up can get lost.
func (s *Service) await(ctx context.Context, until <-chan time.Time, woken <-chan struct{}, look func() (batchAt, error)) (batchAt, error) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		at, err := look()
		if err != nil || at.batch.Status != scheduler.BatchRunning {
			return at, err
		}
		select {
		case <-until:
			return at, nil
		case <-ctx.Done():
			return at, nil
		case <-s.draining:
			return at, nil
		case <-woken:
		case <-poll.C:
		}
	}
}

func (a batchAt) view() Batch { return a.doc.batchView(a.batch) }

// Batches is the session's batches, newest first.
func (s *Service) Batches(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (Page[Batch], error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return Page[Batch]{}, err
	}
	list := numbered{name: "batches " + sid, oldest: d.oldestBatch(), newest: d.batches}
	numbers, next, err := list.descending(min(orDefault(limit, defaultBatches), maxBatches), cursor)
	if err != nil {
		return Page[Batch]{}, err
	}
	out := Page[Batch]{Data: make([]Batch, 0, len(numbers)), NextCursor: next}
	for _, n := range numbers {
		at, err := s.find(ctx, d, n)
		if err != nil {
			return Page[Batch]{}, err
		}
		out.Data = append(out.Data, at.viewFor(c))
	}
	return out, nil
}

// Abort cancels what of a batch is not terminal.
func (s *Service) Abort(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string) (Reply[Batch], error) {
	cmd := s.batchCommand(c, idem)
	cmd.closed = true // its batches have ended: they are answered as they are
	return onBatch(ctx, s, cmd, sid, bid, func(ch *change, state scheduler.State) error {
		ch.applyTo(scheduler.Abort(ch.doc.env(ch), state))
		return nil
	})
}

// onBatch runs a command on a batch, open or ended. The state that decide is
// given holds that batch.
func (s *Service) onBatch(
	ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string,
	decide func(*change, scheduler.State) error,
) (Reply[Batch], error) {
	return onBatch(ctx, s, s.batchCommand(c, idem), sid, bid, decide)
}

// batchCommand is a command that answers its batch.
func (s *Service) batchCommand(c tenants.Caller, idem Idempotency) command[Batch] {
	return command[Batch]{caller: c, idem: idem, status: httpOK, answer: batchAnswer, reveal: revealBatch(c)}
}

func onBatch[T any](
	ctx context.Context, s *Service, cmd command[T], sid, bid string, decide func(*change, scheduler.State) error,
) (Reply[T], error) {
	t, err := s.topic(cmd.caller, sid)
	if err != nil {
		return Reply[T]{}, err
	}
	number, ok := batchNumber(sid, bid)
	if !ok {
		return Reply[T]{}, errNotFound("batch")
	}
	cmd.topic, cmd.reads = t, pendingReads
	cmd.decide = func(ch *change) error {
		at, err := s.find(ctx, ch.doc, number)
		if err != nil {
			return err
		}
		state := ch.doc.state
		state.Batch = at.batch
		ch.batch = at.batch
		return decide(ch, state)
	}
	return run(ctx, s, cmd)
}

// applyTo takes over a command's new state on a batch that may have ended
// before: then only its effects count.
func (c *change) applyTo(state scheduler.State, fx scheduler.Effects) {
	if c.doc.openBatch() != nil && c.doc.state.Batch.Number == state.Batch.Number {
		c.apply(state, fx)
		return
	}
	c.fx, c.batch = fx, state.Batch
}
