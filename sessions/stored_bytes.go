package sessions

import (
	"context"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// StoredBytes is what a tenant's sessions take in Redis by its own measure:
// documents, events, batches, turns and outputs, of open sessions and of closed
// ones until they are deleted. It reads every session: not for each request.
func (s *Service) StoredBytes(ctx context.Context, tenant string) (int64, error) {
	var sum int64
	buckets := store.BucketsOf(tenant)
	in := store.List{Tenant: tenant, Buckets: buckets[:], Limit: store.MaxPage}
	for {
		page, err := s.store.Sessions(ctx, in)
		if err != nil {
			return 0, err
		}
		for _, item := range page.Items {
			n, err := s.bytesOf(ctx, stream.Topic{Bucket: item.Bucket, Tenant: tenant, Session: item.ID})
			if err != nil {
				return 0, err
			}
			sum += n
		}
		if page.Next == "" {
			return sum, nil
		}
		in.After = page.Next
	}
}

// bytesOf is what one session takes; one that went in the meantime takes nothing.
func (s *Service) bytesOf(ctx context.Context, t stream.Topic) (int64, error) {
	records, err := s.store.Docs(ctx, []store.Ref{{Topic: t}}, fieldHot)
	if err != nil || records[0] == nil {
		return 0, err
	}
	var hot storedHot
	if err := decodeField(records[0].Doc, fieldHot, &hot); err != nil {
		return 0, err
	}
	return s.store.Bytes(ctx, store.Extent{Topic: t, Batches: hot.Batches, Turns: hot.Turns})
}
