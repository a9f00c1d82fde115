package sessions

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// What a tenant's snapshot holds at most. It is made for a person's overview;
// whoever has more open questions than that pages through the inbox.
const (
	maxSnapshotApprovals = 200     // of the inbox; those of one session are never parted
	maxSnapshotBytes     = 1 << 20 // after which no further page of the inbox is read
	snapshotPage         = 50      // approvals of the inbox that are read at a time
	snapshotReaders      = 8       // sessions that are read at a time
)

// tenantSnapshot is the data of tenant.snapshot: the sessions that wait for a
// person, and what they ask. With Truncated there are more, in the inbox
// (GET /v1/approvals?status=pending) from NextCursor on.
type tenantSnapshot struct {
	Sessions   []Session  `json:"sessions"`
	Approvals  []Approval `json:"approvals"`
	Truncated  bool       `json:"truncated"`
	NextCursor *string    `json:"next_cursor"`

	reader tenants.Caller
	bytes  int
	known  map[string]bool // sessions that were looked at
}

// TenantLogs are the buckets of a tenant's logs, in the order of a vector.
func (s *Service) TenantLogs(c tenants.Caller) [stream.TenantLogs]uint16 {
	return store.BucketsOf(c.Tenant)
}

// TenantSnapshot is the document that a tenant's stream begins with. The place
// in the logs is taken first: what happens meanwhile may be in the document
// already, but none of it is missing from both.
func (s *Service) TenantSnapshot(ctx context.Context, tenant string) ([]byte, stream.Vector, error) {
	return s.SnapshotFor(ctx, tenants.Caller{Tenant: tenant})
}

// SnapshotFor is TenantSnapshot of what a caller may know of.
func (s *Service) SnapshotFor(ctx context.Context, c tenants.Caller) ([]byte, stream.Vector, error) {
	tenant := c.Tenant
	at, err := s.tenantPlace(ctx, tenant)
	if err != nil {
		return nil, at, err
	}
	v := &tenantSnapshot{Sessions: []Session{}, Approvals: []Approval{}, known: map[string]bool{}, reader: c}
	in := store.List{Tenant: tenant, Buckets: s.bucketsOf(c), Limit: snapshotPage}
	for range maxSnapshotApprovals / snapshotPage {
		page, err := s.store.Approvals(ctx, in, true)
		if err != nil {
			return nil, at, storeProblem(err)
		}
		if err := s.addWaiting(ctx, v, tenant, page.Items); err != nil {
			return nil, at, err
		}
		v.Truncated, v.NextCursor, in.After = page.Next != "", CursorOf(listOfApprovals, page.Next), page.Next
		if !v.Truncated || v.bytes > maxSnapshotBytes {
			break
		}
	}
	return []byte(encode(v)), at, nil
}

// tenantPlace is where the tenant's logs end.
func (s *Service) tenantPlace(ctx context.Context, tenant string) (at stream.Vector, err error) {
	topics := make([]stream.Topic, 0, len(at))
	for _, bucket := range store.BucketsOf(tenant) {
		topics = append(topics, stream.TenantTopic(bucket, tenant))
	}
	heads, err := s.store.Heads(ctx, topics)
	if err != nil {
		return at, storeProblem(err)
	}
	copy(at[:], heads)
	return at, nil
}

// addWaiting adds the sessions of a page of the inbox, each with all that it
// asks. One that went meanwhile, or asks nothing any more, is left out.
func (s *Service) addWaiting(ctx context.Context, v *tenantSnapshot, tenant string, page []store.Item) error {
	topics := v.fresh(tenant, page)
	found := make([]*document, len(topics))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(snapshotReaders)
	for i, t := range topics {
		g.Go(func() (err error) {
			if found[i], err = s.current(ctx, t); isNotFound(err) {
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, d := range found {
		if d != nil && d.visibleTo(v.reader) {
			v.add(d)
		}
	}
	return nil
}

// fresh are the sessions of a page that were not looked at yet.
func (v *tenantSnapshot) fresh(tenant string, page []store.Item) []stream.Topic {
	var topics []stream.Topic
	for _, item := range page {
		place, ok := placeOf(item.ID)
		if !ok || v.known[place.session] {
			continue
		}
		v.known[place.session] = true
		topics = append(topics, stream.Topic{Bucket: item.Bucket, Tenant: tenant, Session: place.session})
	}
	return topics
}

// add adds a session and what it asks, as events carry them, and which event
// of the session is the last in that.
func (v *tenantSnapshot) add(d *document) {
	b := d.openBatch()
	if b == nil {
		return
	}
	n := narration{d: d, batch: b}
	before := len(v.Approvals)
	for k := range b.Approvals {
		if b.Approvals[k].Status == scheduler.ApprovalPending {
			v.Approvals = append(v.Approvals, n.approvalData(k))
		}
	}
	if len(v.Approvals) == before {
		return
	}
	last := d.head.String()
	waiting := d.sessionEvent()
	waiting.LastEventID = &last
	v.Sessions = append(v.Sessions, waiting)
	v.bytes += len(encode(waiting)) + len(encode(v.Approvals[before:]))
}

var _ stream.TenantSnapshotter = (*Service)(nil)
