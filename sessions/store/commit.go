package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// maxSkew is how far a commit's time may be off Redis TIME. Deadlines are
// compared across replicas, so one whose clock runs away must not write.
const maxSkew = time.Second

// Commit applies one transition. It answers ErrConflict, ErrIdempotent,
// ErrNewerSchema or ErrClockSkew when nothing was written, ErrNotReplicated
// when it was, and ErrUnavailable when that is not known; the same commit may
// then be sent again.
func (s *Store) Commit(ctx context.Context, c Commit) error {
	began := time.Now()
	err := s.commit(ctx, c)
	if s.observer != nil {
		s.observer.Committed(outcomeOf(err), time.Since(began))
	}
	return err
}

func (s *Store) commit(ctx context.Context, c Commit) error {
	if err := c.validate(); err != nil {
		return err
	}
	status, err := s.sendCommit(ctx, &c)
	if err != nil && !errors.Is(err, ErrNotReplicated) {
		return outage("commit", err)
	}
	if refused := s.verdict(ctx, status); refused != nil {
		return refused
	}
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (s *Store) sendCommit(ctx context.Context, c *Commit) (status string, err error) {
	keys, args := s.build(c)
	if s.confirmer == nil || c.Unconfirmed {
		return commitScript.Run(ctx, s.client, keys, args...).Text()
	}
	return s.confirmer.script(ctx, confirmKey(c.Topic.Bucket), commitScript, keys, args)
}

func (s *Store) verdict(ctx context.Context, status string) error {
	switch status {
	case "OK":
		return nil
	case "CONFLICT":
		return fmt.Errorf("commit: %w", ErrConflict)
	case "IDEMPOTENT":
		return fmt.Errorf("commit: %w", ErrIdempotent)
	case "SCHEMA":
		return fmt.Errorf("commit: %w", ErrNewerSchema)
	case "SKEW":
		if err := s.sampleTime(ctx); err != nil { // so that a second try has a chance
			return fmt.Errorf("commit: %w, and %w", ErrClockSkew, err)
		}
		return fmt.Errorf("commit: %w", ErrClockSkew)
	default:
		return fmt.Errorf("commit: %w: unknown answer %q", ErrUnavailable, status)
	}
}

// build is the commit as commit.lua takes it.
func (s *Store) build(c *Commit) (keys []string, args []any) {
	p := &plan{}
	k := sessionKeys(c.Topic)
	p.key(k.doc())
	args = s.header(p, c)
	set := flatten(c.Doc.Set)
	first := min(len(set), maxOpArgs)
	args = append(args, first)
	args = append(args, set[:first]...)
	p.spread("HSET", k.doc(), set[first:])
	if len(c.Events) > 0 {
		p.document(c)
		p.log(c)
		p.overview(c)
		p.indexes(c)
		p.deadlines(c)
		p.audit(c)
		p.outbox(c)
	}
	if c.Idempotency != nil {
		p.call("SET", k.idempotency(c.Idempotency.Scope), encodeIdempotency(c.ID, c.Idempotency),
			"PX", c.Idempotency.TTL.Milliseconds())
	}
	if len(c.Events) > 0 {
		p.call("ANNOUNCE", eventsChannel(c.Topic.Bucket), s.publish, encodeNotice(c))
	}
	return p.keys, append(args, p.ops...)
}

// header is what the script checks.
func (s *Store) header(p *plan, c *Commit) []any {
	k := sessionKeys(c.Topic)
	next, idem := "", 0
	if len(c.Events) > 0 {
		next = encodeID(c.head())
	}
	if c.Idempotency != nil {
		idem = p.key(k.idempotency(c.Idempotency.Scope))
	}
	args := []any{
		c.ID, Schema, c.Now.UnixMilli(), s.skew.Milliseconds(),
		encodeID(c.Expect), next, idem,
	}
	return append(args, p.checks(c)...)
}

// remember adds calls to their generation of the memory.
func (p *plan) remember(k sessionKeys, r Remember) {
	if r.Begins {
		p.call("UNLINK", k.memory(r.Generation))
	}
	p.patch(k.memory(r.Generation), Patch{Set: r.Calls})
}

// document adds the changes of the session's hashes and outputs.
func (p *plan) document(c *Commit) {
	k := sessionKeys(c.Topic)
	p.patch(k.doc(), Patch{Del: c.Doc.Del})
	p.patch(k.open(), c.Open)
	p.remember(k, c.Memory)
	if c.Mode != nil {
		p.call("SET", k.mode(), *c.Mode)
	}
	p.lease(c)
	for n, patch := range c.Batches {
		p.patch(k.batch(n), patch)
	}
	if c.Drop > 0 {
		p.call("UNLINK", k.batch(c.Drop))
	}
	if c.Archive > 0 {
		p.pair("RENAME", k.open(), k.batch(c.Archive))
	}
	for ref, text := range c.Outputs {
		p.call("SET", k.output(ref), text)
		p.call("SADD", k.outputs(), ref)
	}
	for _, ref := range c.DropOutputs {
		p.call("UNLINK", k.output(ref))
		p.call("SREM", k.outputs(), ref)
	}
	p.turn(k, c.Turn)
}

// turn adds the changes of a turn.
func (p *plan) turn(k sessionKeys, t *TurnPatch) {
	if t == nil {
		return
	}
	if t.Drop > 0 {
		p.call("UNLINK", k.turn(t.Drop))
		p.call("UNLINK", k.turnText(t.Drop))
	}
	p.patch(k.turn(t.Number), Patch{Set: t.Set})
	if t.Text != "" {
		p.call("APPEND", k.turnText(t.Number), t.Text)
	}
}

// log adds the events and drops old ones.
func (p *plan) log(c *Commit) {
	events := sessionKeys(c.Topic).events()
	entries := make([]any, 0, 4*len(c.Events))
	for _, e := range c.Events {
		entries = append(entries, entryID(e.Seq), e.Type, e.Hash[:], e.JSON)
	}
	p.call("EVENTS", events, entries...)
	p.trim(c)
}

// entryID is an event's id in the stream.
func entryID(seq uint64) string { return strconv.FormatUint(seq, 10) + "-0" }

// indexes adds the entries of the tenant's lists and the session's own.
func (p *plan) indexes(c *Commit) {
	k, now := sessionKeys(c.Topic), millis(c.Now)
	if c.IndexSession {
		p.call("ZADD", sessionsKey(k.Bucket, k.Tenant), now, k.Session)
	}
	if c.Parent != "" {
		p.call("ZADD", k.of(c.Parent).children(), now, k.Session)
	}
	for _, id := range c.OpenApprovals {
		p.call("ZADD", inboxKey(k.Bucket, k.Tenant), now, id)
		p.call("ZADD", pendingKey(k.Bucket), now, pendingMember(k.Tenant, id))
		p.call("ZADD", approvalsKey(k.Bucket, k.Tenant), now, id)
		p.call("SADD", k.approvals(), id)
	}
	for _, id := range c.ClosedApprovals {
		p.call("ZREM", inboxKey(k.Bucket, k.Tenant), id)
		p.call("ZREM", pendingKey(k.Bucket), pendingMember(k.Tenant, id))
	}
}

// deadlines moves the session's entry and those that are due now.
func (p *plan) deadlines(c *Commit) {
	k := sessionKeys(c.Topic)
	key := deadlinesKey(k.Bucket)
	if c.Deadline == nil {
		p.call("ZREM", key, k.member())
	} else {
		p.call("ZADD", key, millis(*c.Deadline), k.member())
	}
	for _, sid := range c.DueNow {
		p.call("ZADD", key, millis(c.Now), k.of(sid).member())
	}
}
