package sessions

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// change is a command at work: a copy of the document and what its commit has
// to write beside it.
type change struct {
	before  *document // nil: the session is new
	doc     *document
	now     time.Time
	fx      scheduler.Effects
	batch   *scheduler.Batch // that fx speaks of
	outputs outputPages
	input   scheduler.RawJSON // of the turn that starts
	notes   []stream.Draft    // further events, behind those of fx
	session string            // the session event that ends the commit; empty: none
	dueNow  []string
	// refusal is answered once the commit stands: what a late result leaves
	// behind is written although it is refused.
	refusal error
}

// apply takes over a scheduler command's new state.
func (c *change) apply(state scheduler.State, fx scheduler.Effects) {
	c.doc.state, c.fx, c.batch = state, fx, state.Batch
	for _, g := range fx.Granted {
		c.grant(g)
	}
}

// grant remembers what a person allowed; the first who did stays on record.
func (c *change) grant(g scheduler.Grant) {
	id := grantID(g.Tool, g.Fingerprint, g.Key)
	if _, held := c.doc.grants[id]; held {
		return
	}
	if len(c.doc.grants) >= MaxGrants {
		return // the call itself is allowed all the same; it will be asked about again
	}
	c.doc.grants = maps.Clone(c.doc.grants)
	c.doc.grants[id] = grant{Grant: g, id: id}
	c.session = eventSessionUpdated
}

func (c *change) changed() bool {
	return c.before == nil || c.fx.Changed() || c.session != "" || len(c.notes) > 0
}

// The statuses of stored answers.
const (
	httpOK       = 200
	httpCreated  = 201
	httpAccepted = 202
)

// command decides on a change; it may be run several times.
type command[T any] struct {
	caller tenants.Caller
	topic  stream.Topic
	idem   Idempotency
	status int // of the stored answer
	// reads are the stored outputs that the command will need.
	reads func(*document) []scheduler.ReadOutputArguments
	// recall are the call ids that the command looks up in the memory.
	recall []string
	// decide changes c.doc. An error refuses the request; nothing is written.
	decide func(c *change) error
	// answer is made of the document as committed, and stored.
	answer func(c *change) T
	// reveal, if set, adds to an answer what is not stored with it.
	reveal func(c *change, answer T) T
	// closed lets the command run on a closed session.
	closed bool
}

// run decides and commits until nobody else was faster.
func run[T any](ctx context.Context, s *Service, cmd command[T]) (Reply[T], error) {
	if stored, err := replay[T](ctx, s, &cmd); stored != nil || err != nil {
		return deref(stored), err
	}
	doc := s.cached(cmd.topic)
	fresh := doc == nil || !doc.memory.knows(cmd.recall)
	for range maxAttempts {
		if fresh {
			var err error
			if doc, err = s.current(ctx, cmd.topic, cmd.recall...); err != nil {
				return Reply[T]{}, err
			}
		}
		reply, err := try(ctx, s, &cmd, doc, fresh)
		switch {
		case err == nil:
			return reply, nil
		case errors.Is(err, errStaleCopy), errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrClockSkew):
			fresh = true
		case errors.Is(err, store.ErrIdempotent):
			stored, err := replay[T](ctx, s, &cmd)
			if stored != nil || err != nil {
				return deref(stored), err
			}
			fresh = true // a failover took the record away again: decide anew
		default:
			return answerRefusal(ctx, s, &cmd, err)
		}
	}
	return Reply[T]{}, refuse(CodeBusy, "the session changes too fast; try again")
}

// answerRefusal answers an error. Where the request carries a key, the same
// request may have been carried out a moment ago, and be what it is refused for:
// then it gets its answer.
func answerRefusal[T any](ctx context.Context, s *Service, cmd *command[T], err error) (Reply[T], error) {
	if _, refused := errors.AsType[*Problem](err); refused {
		if stored, err := replay[T](ctx, s, cmd); stored != nil || err != nil {
			return deref(stored), err
		}
	}
	return Reply[T]{}, storeProblem(err)
}

// errStaleCopy says that a refusal was decided on a kept copy: read, decide again.
var errStaleCopy = errors.New("decided on a kept copy")

func try[T any](ctx context.Context, s *Service, cmd *command[T], doc *document, fresh bool) (Reply[T], error) {
	c := &change{before: doc, doc: doc.clone(), now: s.now()}
	if !fresh && s.timePassed(doc, c.now) {
		return Reply[T]{}, errStaleCopy
	}
	if err := cmd.run(ctx, s, c); err != nil {
		if !fresh {
			return Reply[T]{}, errStaleCopy
		}
		return Reply[T]{}, err
	}
	return finish(ctx, s, cmd, c, fresh)
}

func (cmd *command[T]) run(ctx context.Context, s *Service, c *change) error {
	if c.doc.status == statusClosed && !cmd.closed {
		return refuse(CodeSessionClosed, "the session is closed")
	}
	if cmd.reads != nil {
		pages, err := s.fetch(ctx, c.doc.topic, cmd.reads(c.doc))
		if err != nil {
			return err
		}
		c.outputs = pages
	}
	return cmd.decide(c)
}

// finish commits a change and makes its answer. One that changes nothing is
// answered as it is, from what was read just now.
func finish[T any](ctx context.Context, s *Service, cmd *command[T], c *change, fresh bool) (Reply[T], error) {
	if !c.changed() {
		if !fresh {
			return Reply[T]{}, errStaleCopy
		}
		value := cmd.answer(c)
		record := cmd.record(value)
		return cmd.reply(c, value), s.recordOnly(ctx, c.before, record)
	}
	commit := c.commit(s)
	value := cmd.answer(c)
	if c.refusal == nil {
		commit.Idempotency = cmd.record(value)
	}
	if err := s.commit(ctx, c, commit); err != nil {
		return Reply[T]{}, err
	}
	return cmd.reply(c, value), c.refusal
}

// reply is an answer as its caller is given it. It has been recorded before.
func (cmd *command[T]) reply(c *change, answer T) Reply[T] {
	if cmd.reveal != nil {
		answer = cmd.reveal(c, answer)
	}
	return Reply[T]{Value: answer}
}

// commit sends a commit and keeps the document that it made.
func (s *Service) commit(ctx context.Context, c *change, commit store.Commit) error {
	err := s.store.Commit(ctx, commit)
	if errors.Is(err, store.ErrUnavailable) {
		s.documents.Remove(commit.Topic) // whether it was written is not known
	}
	if err != nil && !errors.Is(err, store.ErrNotReplicated) {
		return err
	}
	s.keep(c.doc)
	s.waiters.wake(commit.Topic)
	return err
}

// commit makes the store's commit out of a change.
func (c *change) commit(s *Service) store.Commit {
	d := c.doc
	d.updated = c.now
	out := store.Commit{
		ID: s.newID().String(), Topic: d.topic, Now: c.now, Create: c.before == nil, DueNow: c.dueNow,
	}
	if c.before != nil {
		out.Expect = c.before.head
	} else {
		out.IndexSession, out.Parent = true, d.spec.Parent
	}
	for _, a := range d.ancestors {
		out.Ancestors = append(out.Ancestors, store.Expect{Session: a.id, Mode: a.value})
	}
	c.countBatches(&out)
	c.store(&out)
	d.memory, out.Memory = d.memory.with(c.fx.Remembered)
	c.patchBatch(&out)
	c.patchTurn(&out)
	c.retain(s.eventRetention, &out)
	if mode := encode(d.mode()); mode != d.modeValue {
		out.Mode, d.modeValue = &mode, mode
	}
	out.Lease = c.lease()
	out.Doc = d.patch(c.before)
	if at := d.deadline(s.retention); !at.IsZero() {
		out.Deadline = &at
	}
	c.seal(&out)
	return out
}

// countBatches numbers a new batch; the oldest goes when there are too many.
func (c *change) countBatches(out *store.Commit) {
	if !c.fx.Submitted {
		return
	}
	c.doc.batches = c.batch.Number
	if c.doc.batches > MaxBatches {
		out.Drop = c.doc.batches - MaxBatches
	}
}

// patchBatch writes what changed of the batch; one that has ended is archived.
func (c *change) patchBatch(out *store.Commit) {
	b := c.batch
	if b == nil || !c.fx.Changed() {
		return
	}
	if c.fx.Submitted || len(c.fx.Touched) > 0 || c.fx.Completed || b.Abandoned && c.hostsChanged() {
		out.Open = batchPatch(b, c.doc.message, &c.fx)
	}
	for _, k := range c.fx.Raised {
		if b.Approvals[k].Status == scheduler.ApprovalPending {
			out.OpenApprovals = append(out.OpenApprovals, newApprovalID(c.doc.topic.Session, b.Number, k+1))
		}
	}
	for _, k := range c.fx.Resolved {
		out.ClosedApprovals = append(out.ClosedApprovals, newApprovalID(c.doc.topic.Session, b.Number, k+1))
	}
	if c.fx.Completed {
		out.Archive = b.Number
		c.doc.state.Batch, c.doc.message = nil, nil
	}
}

// hostsChanged says whether a host came or went.
func (c *change) hostsChanged() bool { return c.fx.Attached || c.fx.Lost != nil }

// seal gives the commit its events and the document its new head.
func (c *change) seal(out *store.Commit) {
	n := &narration{d: c.doc, batch: c.batch}
	if c.before == nil {
		n.add(eventSessionCreated, c.doc.sessionEvent())
	}
	c.tellTurn(n)
	n.tell(&c.fx)
	c.tellTurnEnd(n)
	n.drafts = append(n.drafts, c.notes...)
	if c.session != "" {
		n.add(c.session, c.doc.sessionEvent())
	}
	out.Events = stream.Seal(out.Expect, c.doc.topic.Session, c.now, n.drafts)
	c.doc.head = out.Events[len(out.Events)-1].ID()
}

// cached is the document that this replica wrote last, or nil.
func (s *Service) cached(t stream.Topic) *document {
	d, _ := s.documents.Get(t)
	return d
}

func (s *Service) keep(d *document) {
	if d.status == statusClosed || d.weight() > maxCachedBytes {
		s.documents.Remove(d.topic)
		return
	}
	s.documents.Add(d.topic, d)
}

// weight is about how much memory a document takes beyond its constant part.
func (d *document) weight() int {
	w := len(d.state.Session.Plan.Text) + len(d.message) + 200*len(d.memory.calls)
	for _, t := range d.tools {
		w += len(t.InputSchema) + len(t.Description)
	}
	if b := d.state.Batch; b != nil {
		w += len(b.RuntimeView)
		for i := range b.Calls {
			w += len(b.Calls[i].Arguments) + len(b.Calls[i].RuntimeView) + 512
			if r := b.Calls[i].Result; r != nil {
				w += len(r.Output)
			}
		}
	}
	return w
}

// record is the idempotency record of an answer; nil without a key.
func (cmd *command[T]) record(value T) *store.Idempotency {
	if cmd.idem.Key == "" {
		return nil
	}
	return &store.Idempotency{
		Scope: cmd.idem.scope(cmd.caller), BodyHash: hex.EncodeToString(cmd.idem.BodyHash[:]),
		Status: cmd.status, Answer: []byte(encode(value)), TTL: idempotencyRetention,
	}
}

func (i Idempotency) scope(c tenants.Caller) string {
	return shortHash(c.Principal(), i.Route, i.Key)
}

// recordOnly stores an answer that changes nothing. Like any other it is only
// given while what it was made from stands, and when replicas have that.
func (s *Service) recordOnly(ctx context.Context, d *document, i *store.Idempotency) error {
	if i == nil {
		return s.store.Confirm(ctx, d.topic, d.head)
	}
	return s.store.Commit(ctx, store.Commit{
		ID: s.newID().String(), Topic: d.topic, Now: s.now(), Expect: d.head, Idempotency: i,
	})
}

// replay is the stored answer to the same request, or nil.
func replay[T any](ctx context.Context, s *Service, cmd *command[T]) (*Reply[T], error) {
	if cmd.idem.Key == "" {
		return nil, nil //nolint:nilnil // no key, nothing stored
	}
	stored, err := s.store.Idempotent(ctx, cmd.topic, cmd.idem.scope(cmd.caller))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil //nolint:nilnil // nothing stored
	}
	if err != nil {
		return nil, storeProblem(err)
	}
	if stored.BodyHash != hex.EncodeToString(cmd.idem.BodyHash[:]) {
		return nil, errKeyReused()
	}
	reply := &Reply[T]{Replayed: true}
	if err := json.Unmarshal(stored.Answer, &reply.Value); err != nil {
		return nil, fmt.Errorf("read stored answer: %w", err)
	}
	return reply, nil
}

func deref[T any](r *Reply[T]) Reply[T] {
	if r == nil {
		return Reply[T]{}
	}
	return *r
}
