package stream

import (
	"context"
	"encoding/hex"
	"log/slog"
	"math"
	"strconv"
	"time"
)

// Hash is one link of a session's event chain.
type Hash [32]byte

// String is the hash in full, in hex.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ID names an event and proves the history before it.
type ID struct {
	Seq  uint64
	Hash Hash
}

// Unread stands for the head of a log that could not be read. It is beyond all
// that there are.
var Unread = ID{Seq: math.MaxUint64}

// String is the id's wire form, `<seq>-<first 8 hex digits of the hash>`.
func (id ID) String() string {
	return strconv.FormatUint(id.Seq, 10) + "-" + hex.EncodeToString(id.Hash[:4])
}

// Topic is one session's log or, without a session, the tenant's log in the
// bucket: a short one of what a tenant's stream shows of all its sessions.
type Topic struct {
	Bucket  uint16
	Tenant  string
	Session string
}

// TenantTopic is a tenant's log in one of its buckets.
func TenantTopic(bucket uint16, tenant string) Topic { return Topic{Bucket: bucket, Tenant: tenant} }

// tenantWide says that this is a tenant's log. Such a log always exists, if
// only without events, and never closes.
func (t Topic) tenantWide() bool { return t.Session == "" }

func (t Topic) attr() slog.Attr {
	return slog.Group("log", slog.Int("bucket", int(t.Bucket)),
		slog.String("tenant", t.Tenant), slog.String("session_id", t.Session))
}

// Event is one sealed entry of a log. In a tenant's log Seq and the hashes are
// that log's, the JSON is the session's event as it is in its own log.
type Event struct {
	Seq  uint64
	Prev Hash
	Hash Hash
	Type string
	JSON []byte // what stands after `data: `
}

// ID is the event's id.
func (e Event) ID() ID { return ID{Seq: e.Seq, Hash: e.Hash} }

// Draft is an event before it is sealed into a chain.
type Draft struct {
	Type    string
	BatchID string
	Data    []byte // JSON
}

// Bounds describe what of a log is retained.
type Bounds struct {
	First    uint64 // seq of the oldest retained event; Head.Seq+1 when none is retained
	BasePrev Hash   // hash of the event before First (zero hash when First is 1)
	Head     ID     // the newest event
	Closed   bool   // session.closed is the newest event
}

// Notice is what one commit told the replicas that watch its bucket.
type Notice struct {
	Topic  Topic
	Head   ID
	Events []Event // nil when the commit was too large to carry; read the log then
}

// Log is read access to the logs. A session's log that does not exist is
// ErrNoLog; a tenant's without events has zero bounds.
type Log interface {
	Bounds(ctx context.Context, t Topic) (Bounds, error)
	// Heads is the newest id of several logs at once; a log that is gone is the
	// zero ID. With an error, those that could not be read are Unread; the others
	// hold all the same.
	Heads(ctx context.Context, ts []Topic) ([]ID, error)
	// Read returns events with seq > after, in order, at most maxBytes of JSON
	// (but at least one event if there is one).
	Read(ctx context.Context, t Topic, after uint64, maxBytes int) ([]Event, error)
}

// Feed tells a replica of commits in the buckets that it watches.
type Feed interface {
	Watch(bucket uint16)
	Unwatch(bucket uint16)
}

// Sink is what a feed reports to.
type Sink interface {
	Notify(n Notice)
	// Resync says that notices of these buckets may have been missed
	// (a new subscription, a reconnect, a topology change).
	Resync(buckets []uint16)
}

// Snapshotter gives the document that follows a reset.
type Snapshotter interface {
	// Snapshot is the `data` of session.snapshot and the id of the last event in it.
	Snapshot(ctx context.Context, t Topic) (data []byte, includes ID, err error)
}

// TenantSnapshotter gives the document that a tenant's stream begins with.
type TenantSnapshotter interface {
	// TenantSnapshot is the `data` of tenant.snapshot and where the tenant's
	// logs ended before it was made. Events behind that may be in it already.
	TenantSnapshot(ctx context.Context, tenant string) (data []byte, includes Vector, err error)
}

// TimeFormat is how times are written in events and answers: RFC 3339, UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// FormatTime writes t as TimeFormat.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeFormat) }
