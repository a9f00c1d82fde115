package sessions

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// change is a command at work: a copy of the document and what its commit has
// to write beside it.
type change struct {
	before  *document // nil: the session is new
	doc     *document
	now     time.Time
	actor   audit.Actor // the zero value for time that passed
	tenant  *tenantRules
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

// change begins a command on a document; before is nil for a new session.
func (s *Service) change(before, doc *document, now time.Time) (*change, error) {
	tenant, err := s.tenantRules(doc.topic.Tenant)
	return &change{before: before, doc: doc, now: now, tenant: tenant}, err
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
	s.observed(ctx, c)
	s.kick(commit.Topic, commit.Outbox)
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
	out.Outbox = c.outbox()
	c.store(&out)
	d.memory, out.Memory = d.memory.with(c.fx.Remembered)
	c.patchBatch(&out)
	c.patchTurn(&out)
	c.retain(s.eventRetention, &out)
	if mode := encode(d.mode()); mode != d.modeValue {
		out.Mode, d.modeValue = &mode, mode
	}
	out.Lease = c.lease()
	out.Doc = d.patch(c.before, out.ID)
	if at := d.deadline(s.retention); !at.IsZero() {
		out.Deadline = &at
	}
	c.seal(&out)
	out.Audit = c.audited(c.doc.head)
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
	if c.fx.Submitted || len(c.fx.Touched) > 0 || len(c.fx.Voted) > 0 || c.fx.Completed || b.Abandoned && c.hostsChanged() {
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
