package store

import (
	"crypto/sha1" //nolint:gosec // what Redis's scripts have; see below
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/session-gateway/gateway/stream"
)

// A tenant has one more log in each of its buckets: of those events of its
// sessions that an overview needs. It has the form of a session's log, under
// the index's name, and the commit writes it together with that. Its numbers
// and hashes are its own, and since commits of several sessions append to it,
// the script gives them: the hash is SHA-1 over the hash before it and the
// event's, 20 bytes and 12 zeros. SHA-1 is what scripts have; nobody gains from
// a collision in their own tenant's log.

const (
	// overviewKept is how many events a tenant's log retains in one bucket:
	// minutes of a busy tenant, more than a client that reconnects misses. At
	// two kilobytes an event that is 32 MB at most for all 16 buckets.
	overviewKept = 1_000
	// overviewStep is how many are dropped at a time.
	overviewStep = 100
	// overviewTTL is how long the events of a bucket outlive the last of them,
	// so that those of deleted sessions don't stay for ever.
	overviewTTL = 24 * time.Hour
)

// A vector has a place for each of a tenant's buckets.
var _ [stream.TenantLogs]uint16 = [TenantBuckets]uint16{}

// logKeys are the keys of a log.
func logKeys(t stream.Topic) sessionKeys {
	if t.Session == "" {
		t.Session = index
	}
	return sessionKeys(t)
}

// inOverview says whether a tenant's stream shows events of a type.
func inOverview(kind string) bool {
	return strings.HasPrefix(kind, "session.") || strings.HasPrefix(kind, "approval.") || kind == "batch.completed"
}

// overview adds to the tenant's log the events that belong there. They are
// named by their place in the commit: their bytes are sent once.
func (p *plan) overview(c *Commit) {
	args := []any{overviewKept, overviewStep, overviewTTL.Milliseconds()}
	none := len(args)
	for i, e := range c.Events {
		if inOverview(e.Type) {
			args = append(args, i+1)
		}
	}
	if len(args) > none {
		k := logKeys(stream.TenantTopic(c.Topic.Bucket, c.Topic.Tenant))
		p.pair("OVERVIEW", k.doc(), k.events(), args...)
	}
}

// overviewTold is what the script told of the tenant's log.
type overviewTold struct {
	head stream.ID
	prev stream.Hash // before the commit
}

// cutOverview parts what the script told of the tenant's log, if it did, from
// the notice of the session's: `seq previous-hash hash`, the hashes raw and
// without a space between them, and a line break.
func cutOverview(message string) (told *overviewTold, rest string, err error) {
	if rest, none := strings.CutPrefix(message, "\n"); none {
		return nil, rest, nil
	}
	digits, rest, _ := strings.Cut(message, " ")
	seq, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return nil, "", fmt.Errorf("decode overview: %w", err)
	}
	if len(rest) <= 2*idLen || rest[2*idLen] != '\n' {
		return nil, "", errors.New("decode overview: two hashes and a line break are missing")
	}
	told = &overviewTold{head: stream.ID{Seq: seq}}
	copy(told.prev[:], rest)
	copy(told.head.Hash[:], rest[idLen:])
	return told, rest[2*idLen+1:], nil
}

// notice is the notice of the tenant's log that goes with a session's. Without
// the commit's events it says only how far the log is.
func (o *overviewTold) notice(of stream.Notice) (n stream.Notice, err error) {
	n = stream.Notice{Topic: stream.TenantTopic(of.Topic.Bucket, of.Topic.Tenant), Head: o.head}
	n.Events, err = overviewEvents(o.head, o.prev, of.Events)
	return n, err
}

// overviewEvents places a commit's events in the tenant's log; they must lead
// from prev to head.
func overviewEvents(head stream.ID, prev stream.Hash, events []stream.Event) ([]stream.Event, error) {
	var out []stream.Event
	for _, e := range events {
		if inOverview(e.Type) {
			e.Prev, e.Hash = prev, overviewHash(prev, e.Hash)
			prev = e.Hash
			out = append(out, e)
		}
	}
	if len(out) > 0 && (prev != head.Hash || head.Seq < uint64(len(out))) {
		return nil, fmt.Errorf("decode overview: events do not lead to %s", head)
	}
	for i := range out {
		out[i].Seq = head.Seq - uint64(len(out)-1-i)
	}
	return out, nil
}

// overviewHash is the hash of an event behind another in a tenant's log.
func overviewHash(prev, event stream.Hash) (h stream.Hash) {
	sum := sha1.Sum(append(prev[:], event[:]...)) //nolint:gosec // see above
	copy(h[:], sum[:])
	return h
}
