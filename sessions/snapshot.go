package sessions

import (
	"context"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// Topic is the session's event log, after the caller's right to it was checked.
func (s *Service) Topic(ctx context.Context, c tenants.Caller, sid string) (stream.Topic, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return stream.Topic{}, err
	}
	return d.topic, nil
}

// Place is where a session's event log would be. Whether there is one, and
// whether a narrowed caller may read it, is not asked.
func (s *Service) Place(c tenants.Caller, sid string) (stream.Topic, error) { return s.topic(c, sid) }

// snapshot is the data of session.snapshot.
type snapshot struct {
	Session   Session    `json:"session"`
	OpenBatch *Batch     `json:"open_batch"`
	Approvals []Approval `json:"approvals"`
}

// Snapshot is the document that follows a stream's reset, and the id of the
// last event that it includes.
func (s *Service) Snapshot(ctx context.Context, t stream.Topic) ([]byte, stream.ID, error) {
	d, err := s.current(ctx, t)
	if isNotFound(err) {
		return nil, stream.ID{}, stream.ErrNoLog
	}
	if err != nil {
		return nil, stream.ID{}, err
	}
	v := snapshot{Session: d.sessionView(), Approvals: []Approval{}}
	if b := d.openBatch(); b != nil {
		open := d.batchView(b)
		v.OpenBatch = &open
		for k := range b.Approvals {
			if b.Approvals[k].Status == scheduler.ApprovalPending {
				v.Approvals = append(v.Approvals, d.approvalView(b, k))
			}
		}
	}
	return []byte(encode(v)), d.head, nil
}

var _ stream.Snapshotter = (*Service)(nil)
