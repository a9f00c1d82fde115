package sessions

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// DefaultAuditRetention is how long audit logs are kept: a week of nights on
// which somebody's export may fail.
const DefaultAuditRetention = 7 * 24 * time.Hour

// auditPage is how many lines are read of an audit log at a time.
const auditPage = 500

// Note writes acts that belong to no session into the tenant's audit log.
func (s *Service) Note(ctx context.Context, c tenants.Caller, tenant string, acts ...audit.Act) error {
	entry := audit.Entry{Time: timeText(s.now()), Actor: actorOf(c), Acts: acts}
	return storeProblem(s.store.AppendAudit(ctx, tenant, encode(entry)))
}

// Audit is the lines of the tenant's audit logs since a time, log by log.
func (s *Service) Audit(ctx context.Context, c tenants.Caller, since time.Time) iter.Seq2[audit.Line, error] {
	return func(yield func(audit.Line, error) bool) {
		for _, bucket := range store.BucketsOf(c.Tenant) {
			if !s.auditOf(ctx, c.Tenant, bucket, since, yield) {
				return
			}
		}
	}
}

func (s *Service) auditOf(ctx context.Context, tenant string, bucket uint16, since time.Time, yield func(audit.Line, error) bool) bool {
	after := ""
	if since.After(time.UnixMilli(1)) {
		after = store.FirstAuditID(since.Add(-time.Millisecond))
	}
	for {
		page, err := s.store.Audit(ctx, bucket, tenant, after, auditPage)
		if err != nil {
			yield(audit.Line{}, storeProblem(err))
			return false
		}
		for _, stored := range page {
			line, err := exported(store.AuditLog(bucket), stored)
			if !yield(line, err) || err != nil {
				return false
			}
			after = stored.ID
		}
		if len(page) < auditPage {
			return true
		}
	}
}

func exported(log string, stored store.AuditLine) (audit.Line, error) {
	line := audit.Line{Log: log, ID: stored.ID}
	if stored.Entry != "" {
		line.Entry = json.RawMessage(stored.Entry)
		return line, nil
	}
	if err := json.Unmarshal([]byte(stored.Seal), &line.Seal); err != nil {
		return line, fmt.Errorf("read seal %s of audit log %s: %w", stored.ID, log, err)
	}
	return line, nil
}

// sealAudit proves what was written since the last seal, and gives when the log
// is due again: at once while there is more, else when somebody writes.
func (s *Service) sealAudit(ctx context.Context, t stream.Topic) (time.Time, error) {
	lines, last, err := s.store.Unsealed(ctx, t, audit.MaxSealed)
	if err != nil || len(lines) == 0 {
		return time.Time{}, err
	}
	raw := make([]audit.Raw, len(lines))
	for i, line := range lines {
		raw[i] = audit.Raw{ID: line.ID, JSON: []byte(line.Entry)}
	}
	seal := s.auditKey.Seal(last.Sum, timeText(s.now()), raw)
	_, err = s.store.AppendSeal(ctx, t, store.Seal{
		Follows: last.Sum, Sealed: store.Sealed{Sum: seal.Sum, Upto: lines[len(lines)-1].ID},
		JSON: encode(seal), Since: s.now().Add(-s.auditRetention),
	})
	if err != nil || len(lines) < audit.MaxSealed {
		return time.Time{}, err
	}
	return s.now(), nil
}

// wholeID is an event's id with the whole hash.
func wholeID(id stream.ID) string {
	return strconv.FormatUint(id.Seq, 10) + "-" + hex.EncodeToString(id.Hash[:])
}

// timeText is a time as everywhere in the API.
func timeText(t time.Time) string { return scheduler.Timestamp{Time: t}.Text() }
