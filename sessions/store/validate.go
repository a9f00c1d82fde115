package store

import (
	"fmt"
	"strings"

	"github.com/session-gateway/gateway/stream"
)

// maxAncestors is how deep sessions nest (design: depth ≤ 8).
const maxAncestors = 8

// validate refuses a commit that contradicts itself, before it is sent: the
// script has no way back once it writes.
func (c *Commit) validate() error {
	if c.ID == "" || strings.ContainsRune(c.ID, '\n') {
		return fmt.Errorf("check commit: %w: id %q", ErrInvalid, c.ID)
	}
	if len(c.Ancestors) > maxAncestors {
		return fmt.Errorf("check commit: %w: %d ancestors", ErrInvalid, len(c.Ancestors))
	}
	if c.Create != (c.Expect == stream.ID{}) {
		return fmt.Errorf("check commit: %w: a new session has no head, any other has one", ErrInvalid)
	}
	if c.Create && (c.Mode == nil || *c.Mode == "") {
		return fmt.Errorf("check commit: %w: a new session needs a mode value", ErrInvalid)
	}
	if err := c.validateDoc(); err != nil {
		return err
	}
	if err := c.validateRetention(); err != nil {
		return err
	}
	return c.validateEvents()
}

func (c *Commit) validateDoc() error {
	for name := range c.Doc.Set {
		if ownField(name) {
			return fmt.Errorf("check commit: %w: field %q is the store's own", ErrInvalid, name)
		}
	}
	for _, name := range c.Doc.Del {
		if _, set := c.Doc.Set[name]; set || ownField(name) {
			return fmt.Errorf("check commit: %w: field %q can't be removed", ErrInvalid, name)
		}
	}
	return nil
}

func (c *Commit) validateEvents() error {
	if len(c.Events) == 0 && (c.Create || c.Idempotency == nil || c.changes()) {
		return fmt.Errorf("check commit: %w: a change without an event", ErrInvalid)
	}
	head := c.Expect
	for _, e := range c.Events {
		if e.Seq != head.Seq+1 || e.Prev != head.Hash {
			return fmt.Errorf("check commit: %w: event %d is not sealed behind %s", ErrInvalid, e.Seq, head)
		}
		head = e.ID()
	}
	return nil
}

// changes says whether the commit writes more than an idempotency record.
func (c *Commit) changes() bool {
	patched := func(p Patch) bool { return len(p.Set)+len(p.Del) > 0 }
	return c.Mode != nil || patched(c.Doc) || patched(c.Open) || len(c.Memory.Calls) > 0 ||
		c.Archive > 0 || c.Turn != nil || c.Lease != nil ||
		len(c.Batches)+len(c.Outputs)+len(c.DropOutputs)+len(c.DueNow) > 0 ||
		len(c.OpenApprovals)+len(c.ClosedApprovals) > 0 || c.IndexSession || c.Parent != ""
}

// head is the session's head after the commit.
func (c *Commit) head() stream.ID {
	if len(c.Events) == 0 {
		return c.Expect
	}
	return c.Events[len(c.Events)-1].ID()
}
