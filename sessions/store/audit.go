package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// A tenant has an audit log in each of its buckets: commits append entries, and
// the sweeper that finds the log among the bucket's deadlines appends seals. The
// store does not know what either means.

const (
	// auditMember stands where a session id would, among the deadlines.
	auditMember = "~audit"
	// sealDelay is how long entries wait for a seal: long enough to prove some
	// together, short enough that little is unproved.
	sealDelay = 2 * time.Second
	// auditKept is how many lines a log retains in one bucket, whatever their
	// age: with half a kilobyte each they are 400 MB of a tenant's 16 buckets.
	auditKept = 50_000
)

// AuditTopic is where a tenant's audit log of a bucket comes due.
func AuditTopic(bucket uint16, tenant string) stream.Topic {
	return stream.Topic{Bucket: bucket, Tenant: tenant, Session: auditMember}
}

// IsAudit says whether a deadline is an audit log's.
func IsAudit(t stream.Topic) bool { return t.Session == auditMember }

// auditKey: stream of entries (`e`) and seals (`s`).
func auditKey(bucket uint16, tenant string) string { return indexKey(bucket, tenant, "audit") }

// sealKey: hash of what the last seal is.
func sealKey(bucket uint16, tenant string) string { return indexKey(bucket, tenant, "seal") }

// AuditLine is an entry or a seal, in the words of whoever wrote it.
type AuditLine struct {
	ID    string
	Entry string // empty for a seal
	Seal  string // empty for an entry
}

// audit appends the commit's entry and lets the log come due.
func (p *plan) audit(c *Commit) {
	if c.Audit == "" {
		return
	}
	p.call("XADD", auditKey(c.Topic.Bucket, c.Topic.Tenant), "*", "e", c.Audit)
	p.call("ZADD", deadlinesKey(c.Topic.Bucket), sealDue(c.Topic.Bucket, c.Topic.Tenant, c.Now)...)
}

// sealDue are the arguments that let a log come due, unless it is due sooner. A
// sealer that holds the log meanwhile finds its hold changed.
func sealDue(bucket uint16, tenant string, now time.Time) []any {
	return []any{"LT", millis(now.Add(sealDelay)), sessionKeys(AuditTopic(bucket, tenant)).member()}
}

// AppendAudit adds an entry that belongs to no session's commit.
func (s *Store) AppendAudit(ctx context.Context, tenant, entry string) error {
	bucket := BucketsOf(tenant)[0]
	pipe := s.client.TxPipeline()
	pipe.XAdd(ctx, &redis.XAddArgs{Stream: auditKey(bucket, tenant), Values: []any{"e", entry}})
	pipe.Do(ctx, append([]any{"ZADD", deadlinesKey(bucket)}, sealDue(bucket, tenant, s.Now())...)...)
	return exec(ctx, pipe, "append to audit log")
}

// Sealed is how far an audit log is proved.
type Sealed struct {
	Sum  string // of the last seal; empty: there is none
	Upto string // the last entry that it names
}

// Unsealed are the entries behind the last seal, at most limit, and that seal.
func (s *Store) Unsealed(ctx context.Context, t stream.Topic, limit int) ([]AuditLine, Sealed, error) {
	state, err := s.client.HGetAll(ctx, sealKey(t.Bucket, t.Tenant)).Result()
	if err != nil {
		return nil, Sealed{}, outage("read audit seal", err)
	}
	sealed := Sealed{Sum: state["sum"], Upto: state["upto"]}
	from := "-"
	if sealed.Upto != "" {
		from = "(" + sealed.Upto
	}
	var out []AuditLine
	for len(out) < limit { // seals stand between the entries
		page, err := s.client.XRangeN(ctx, auditKey(t.Bucket, t.Tenant), from, "+", int64(limit)).Result()
		if err != nil {
			return nil, Sealed{}, outage("read audit log", err)
		}
		for _, m := range page {
			if line := auditLine(m); line.Entry != "" && len(out) < limit {
				out = append(out, line)
			}
			from = "(" + m.ID
		}
		if len(page) < limit {
			break
		}
	}
	return out, sealed, nil
}

// Seal is a seal to be appended to an audit log.
type Seal struct {
	Follows string // the sum of the last seal
	Sealed         // what the log is then
	JSON    string
	Since   time.Time // older lines go
}

// AppendSeal appends a seal; false says that another replica was faster.
func (s *Store) AppendSeal(ctx context.Context, t stream.Topic, seal Seal) (bool, error) {
	n, err := auditScript.Run(ctx, s.client, []string{auditKey(t.Bucket, t.Tenant), sealKey(t.Bucket, t.Tenant)},
		seal.Follows, seal.Sum, seal.Upto, seal.JSON, millis(seal.Since), auditKept).Int()
	if err != nil {
		return false, outage("seal audit log", err)
	}
	return n == 1, nil
}

// Audit is a page of a tenant's audit log in one of its buckets, from the line
// after an id (empty: the first that is retained) on.
func (s *Store) Audit(ctx context.Context, bucket uint16, tenant, after string, limit int) ([]AuditLine, error) {
	from := "-"
	if after != "" {
		from = "(" + after
	}
	page, err := s.client.XRangeN(ctx, auditKey(bucket, tenant), from, "+", int64(limit)).Result()
	if err != nil {
		return nil, outage("read audit log", err)
	}
	out := make([]AuditLine, len(page))
	for i, m := range page {
		out[i] = auditLine(m)
	}
	return out, nil
}

func auditLine(m redis.XMessage) AuditLine {
	line := AuditLine{ID: m.ID}
	line.Entry, _ = m.Values["e"].(string) // a seal has none
	line.Seal, _ = m.Values["s"].(string)  // an entry has none
	return line
}

// AuditLog is the name of a bucket's audit log.
func AuditLog(bucket uint16) string { return fmt.Sprintf("b%04d", bucket) }

// FirstAuditID is the first id that a line of a time can have.
func FirstAuditID(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) + "-0" }
