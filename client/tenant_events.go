package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
)

// TenantStreamEvent is an event of a tenant's stream.
type TenantStreamEvent struct {
	ID string // the cursor behind it; empty for a reset
	TenantEvent
}

// Decode reads what the event tells into the document that its type has:
// [TenantSnapshot], [SessionSummary], [Approval] or [Batch].
func (e TenantStreamEvent) Decode(doc any) error {
	if err := json.Unmarshal(e.Data, doc); err != nil {
		return fmt.Errorf("decode %s: %w", e.Type, err)
	}
	return nil
}

// TenantEvents follows all sessions of the tenant in one stream, until ctx ends
// or the gateway refuses. It has sessions, approvals and ends of batches, and
// begins with a tenant.snapshot unless it begins at a cursor. It reconnects like
// [Client.Events]. The events of one session come in order; those of different
// sessions in any.
func (c *Client) TenantEvents(ctx context.Context, o StreamOptions) iter.Seq2[TenantStreamEvent, error] {
	return func(yield func(TenantStreamEvent, error) bool) {
		s := &streamReader{c: c, path: []string{"v1", "events"}, o: o}
		var wrong error
		s.yield = func(raw StreamEvent, _ error) bool {
			e := TenantStreamEvent{ID: raw.ID}
			if wrong = json.Unmarshal(raw.Data, &e.TenantEvent); wrong != nil {
				return false
			}
			return yield(e, nil)
		}
		err := s.follow(ctx)
		switch {
		case wrong != nil:
			yield(TenantStreamEvent{}, fmt.Errorf("decode event: %w", wrong))
		case err != nil && !s.stopped:
			yield(TenantStreamEvent{}, err)
		}
	}
}
