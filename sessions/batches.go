package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
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

// Submit takes the calls of one model response.
func (s *Service) Submit(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, in Submission) (Reply[Batch], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Batch]{}, err
	}
	if p := in.check(); p != nil {
		return Reply[Batch]{}, p
	}
	return run(ctx, s, command[Batch]{
		caller: c, topic: t, idem: idem, status: httpAccepted, answer: batchAnswer, recall: in.ids(), reveal: revealBatch(c),
		reads: func(d *document) []scheduler.ReadOutputArguments {
			return scheduler.PendingReads(d.state, d.registry, in.Calls)
		},
		decide: func(ch *change) error { // behind the stored answers: those are given also by a full store
			if err := s.store.Admit(ctx); err != nil {
				return err
			}
			return ch.submit(in)
		},
	})
}

// ids are the call ids that the model gave.
func (in *Submission) ids() []string {
	ids := make([]string, 0, len(in.Calls))
	for i := range in.Calls {
		if !in.Calls[i].IDAssigned {
			ids = append(ids, in.Calls[i].ID)
		}
	}
	return ids
}

func batchAnswer(c *change) Batch { return c.doc.batchView(c.batch) }

func (c *change) submit(in Submission) error {
	d := c.doc
	if b := d.openBatch(); b != nil {
		return errBatchOpen(b)
	}
	if p := d.checkTurn(or(in.TurnID, "")); p != nil {
		return p
	}
	number := d.batches + 1
	state, fx, err := scheduler.Submit(d.env(c), d.state, scheduler.Submission{
		ID: newBatchID(d.topic.Session, number), Number: number, TurnID: or(in.TurnID, ""), HostID: or(in.HostID, ""),
		Fence: or(in.Fence, 0), ResponseID: or(in.ResponseID, ""), Format: in.Format, Calls: in.Calls, RuntimeView: in.RuntimeView,
	})
	if errors.Is(err, scheduler.ErrHostFenced) {
		return d.fenced()
	}
	if err != nil {
		return fmt.Errorf("submit batch: %w", err)
	}
	d.message = in.Message
	c.apply(state, fx)
	return nil
}

// check names what is wrong with a submission as a whole. What is wrong with a
// call's arguments is the call's result, not the request's.
func (in *Submission) check() *Problem {
	switch {
	case len(in.Calls) == 0:
		return refuse(CodeNoToolCalls, "there is no tool call in it")
	case len(in.Calls) > MaxCalls:
		return refuse(CodeTooManyCalls, "there are more than %d tool calls in it", MaxCalls)
	}
	var wrong fields
	checkID(&wrong, "/turn_id", in.TurnID)
	checkID(&wrong, "/host_id", in.HostID)
	checkID(&wrong, "/response_id", in.ResponseID)
	checkFence(&wrong, in.Fence)
	if in.Fence != nil && in.HostID == nil {
		wrong.add("/fence", "goes with host_id")
	}
	in.checkViews(&wrong)
	for i, call := range in.Calls {
		if field, fault := badCall(call); fault != "" && in.Message != nil {
			wrong.add("/message", "the %s of the call at position %d %s", field, i, fault)
		} else if fault != "" {
			wrong.add(fmt.Sprintf("/calls/%d/%s", i, field), "%s", fault)
		}
	}
	return wrong.problem()
}

// badCall is what no call can have, and in which of its fields.
func badCall(call scheduler.Input) (field, fault string) {
	switch {
	case call.Name == "" || len(call.Name) > MaxNameBytes || !plain(call.Name):
		return "name", fmt.Sprintf("is not a name of 1 to %d bytes without control characters", MaxNameBytes)
	case len(call.ID) > MaxIDBytes || !plain(call.ID):
		return "id", fmt.Sprintf("is over %d bytes or has control characters", MaxIDBytes)
	case len(call.Arguments) > MaxArgumentBytes:
		return "arguments", fmt.Sprintf("is over %d bytes", MaxArgumentBytes)
	default:
		return "", ""
	}
}

// checkID refuses an id that is given and can't be one.
func checkID(wrong *fields, at string, id *string) {
	if id != nil && (len(*id) > MaxIDBytes || !plain(*id)) {
		wrong.add(at, "is over %d bytes or has control characters", MaxIDBytes)
	}
}

// checkFence refuses a fence that was never given.
func checkFence(wrong *fields, fence *int64) {
	if fence != nil && *fence < 1 {
		wrong.add("/fence", "is not a fence: they count from 1")
	}
}

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
	from := d.batches
	if cursor != "" {
		n, err := strconv.ParseUint(cursor, 10, 64)
		if err != nil || n == 0 {
			return Page[Batch]{}, refuse(CodeBadCursor, "the cursor is not one that this list gave")
		}
		from = min(from, n)
	}
	if limit <= 0 {
		limit = defaultBatches
	}
	out := Page[Batch]{Data: []Batch{}}
	for n := from; n >= d.oldestBatch(); n-- {
		if len(out.Data) == min(limit, maxBatches) {
			next := strconv.FormatUint(n, 10)
			out.NextCursor = &next
			break
		}
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

// Transcript yields the session's terminal batches, oldest first.
func (s *Service) Transcript(ctx context.Context, c tenants.Caller, sid string, yield func(TranscriptLine) error) error {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return err
	}
	for n := d.oldestBatch(); n <= d.batches; n++ {
		at, err := s.find(ctx, d, n)
		if err != nil {
			return err
		}
		if at.batch.Status == scheduler.BatchRunning {
			return nil
		}
		if err := yield(at.transcriptLine()); err != nil {
			return err
		}
	}
	return nil
}

// oldestBatch is the number of the oldest batch that is kept.
func (d *document) oldestBatch() uint64 {
	if d.batches <= MaxBatches {
		return 1
	}
	return d.batches - MaxBatches + 1
}

func (a batchAt) transcriptLine() TranscriptLine {
	b := a.batch
	line := TranscriptLine{
		BatchID: b.ID, TurnID: optional(b.TurnID), Format: b.Format, Message: scheduler.RawJSON(a.message),
		Results: make([]scheduler.Result, len(b.Calls)), Notices: listOrEmpty(b.Notices),
	}
	for i := range b.Calls {
		line.Results[i] = *b.Calls[i].Result
	}
	if a.message == nil {
		line.Message = nativeMessage(b)
	}
	return line
}

// nativeMessage is what a native batch was sent as.
func nativeMessage(b *scheduler.Batch) scheduler.RawJSON {
	type call struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	calls := make([]call, len(b.Calls))
	for i := range b.Calls {
		c := &b.Calls[i]
		calls[i] = call{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(argumentsJSON(c.Arguments))}
	}
	return scheduler.RawJSON(encode(map[string]any{"calls": calls}))
}

// Topic is the session's event log, after the caller's right to it was checked.
func (s *Service) Topic(ctx context.Context, c tenants.Caller, sid string) (stream.Topic, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return stream.Topic{}, err
	}
	return d.topic, nil
}
