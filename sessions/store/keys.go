package store

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/stream"
)

// This file is the only place that builds keys. Every key begins with its
// bucket's hash tag, so that all that one commit touches is in one slot.
// Tenants and session ids are validated identifiers, without colons or braces.

// index stands where a session id would, in the keys of a tenant's indexes.
const index = "~"

// bucketKey is a key that all sessions of a bucket share.
func bucketKey(bucket uint16, name string) string {
	d := bucketDigits(bucket)
	return "gw:{b" + string(d[:]) + "}:" + name
}

// bucketDigits is a bucket as keys have it. Keys are built by the dozen for each
// commit, so they are put together at once and without fmt.
func bucketDigits(bucket uint16) [4]byte {
	digit := func(n uint16) byte { return '0' + byte(n%10) }
	return [4]byte{digit(bucket / 1000), digit(bucket / 100), digit(bucket / 10), digit(bucket)}
}

// deadlinesKey: sorted set of `<tenant>:<sid>` by the session's earliest
// deadline in Unix milliseconds, and of `<tenant>:<sid>:webhooks` by when it is
// looked whether what the session has to tell outside was told.
func deadlinesKey(bucket uint16) string { return bucketKey(bucket, "deadlines") }

// eventsChannel is where commits of a bucket are announced.
func eventsChannel(bucket uint16) string { return bucketKey(bucket, "events") }

// channelBucket is the bucket that an eventsChannel belongs to.
func channelBucket(channel string) (uint16, error) {
	digits, ok := strings.CutPrefix(channel, "gw:{b")
	if ok {
		digits, ok = strings.CutSuffix(digits, "}:events")
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil {
		return 0, fmt.Errorf("read channel %q: not an events channel", channel)
	}
	return uint16(n), nil
}

// confirmKey is written to no end but to be waited for; its node is the bucket's.
func confirmKey(bucket uint16) string { return bucketKey(bucket, "confirm") }

// indexKey is one of a tenant's lists in one bucket.
func indexKey(bucket uint16, tenant, name string) string {
	return bucketKey(bucket, tenant+":"+index+":"+name)
}

// sessionsKey: sorted set of session ids by creation.
func sessionsKey(bucket uint16, tenant string) string { return indexKey(bucket, tenant, "sessions") }

// inboxKey: sorted set of pending approvals by request.
func inboxKey(bucket uint16, tenant string) string { return indexKey(bucket, tenant, "inbox") }

// pendingKey: sorted set of `<tenant>:<approval>`, the pending approvals of all
// tenants in the bucket, by request; operators are told how many there are.
func pendingKey(bucket uint16) string { return bucketKey(bucket, "pending") }

// pendingMember is an approval among those of all tenants.
func pendingMember(tenant, id string) string { return tenant + ":" + id }

// approvalsKey: sorted set of all retained approvals by request.
func approvalsKey(bucket uint16, tenant string) string { return indexKey(bucket, tenant, "approvals") }

// sessionKeys builds the keys of one session.
type sessionKeys stream.Topic

func (k sessionKeys) key(name string) string {
	d := bucketDigits(k.Bucket)
	return "gw:{b" + string(d[:]) + "}:" + k.Tenant + ":" + k.Session + ":" + name
}

// of is the same key space for another session of the bucket and tenant.
func (k sessionKeys) of(sid string) sessionKeys {
	return sessionKeys{Bucket: k.Bucket, Tenant: k.Tenant, Session: sid}
}

func (k sessionKeys) doc() string  { return k.key("doc") }  // hash: the document, the head, commit ids
func (k sessionKeys) mode() string { return k.key("mode") } // string: what descendants check
func (k sessionKeys) open() string { return k.key("open") } // hash: the open batch

func (k sessionKeys) lease() string     { return k.key("lease") }     // string: until when the attached host is relied on
func (k sessionKeys) events() string    { return k.key("ev") }        // stream: the event log
func (k sessionKeys) children() string  { return k.key("children") }  // sorted set: child ids by creation
func (k sessionKeys) outputs() string   { return k.key("outputs") }   // set: refs of the outputs
func (k sessionKeys) approvals() string { return k.key("approvals") } // set: ids of the approvals

func (k sessionKeys) batch(n uint64) string { return k.key("b:" + strconv.FormatUint(n, 10)) } // hash: an ended batch

// memory is a hash of remembered calls; two generations take turns.
func (k sessionKeys) memory(generation uint64) string {
	return k.key("mem:" + strconv.FormatUint(generation%2, 10))
}

// turn: hash of a turn; turnText: string, what was said in it.
func (k sessionKeys) turn(n uint64) string     { return k.key("t:" + strconv.FormatUint(n, 10)) }
func (k sessionKeys) turnText(n uint64) string { return k.key("tx:" + strconv.FormatUint(n, 10)) }

func (k sessionKeys) output(ref string) string {
	return k.key("out:" + ref) // string: an output that was too long to inline
}

func (k sessionKeys) idempotency(scope string) string {
	return k.key("idem:" + scope) // string with TTL: a stored answer
}

// outbox: sorted set of what is to be told outside, by since when.
func (k sessionKeys) outbox() string { return k.key("outbox") }

// fixed are the keys that every session may have once, but for the sets that
// list others; the document comes last.
func (k sessionKeys) fixed() []string {
	return []string{
		k.open(), k.memory(0), k.memory(1), k.lease(), k.outbox(), k.events(), k.children(), k.mode(), k.doc(),
	}
}

// member is the session in the bucket's deadlines; webhooks is the entry beside
// it for what it has to tell outside.
func (k sessionKeys) member() string   { return k.Tenant + ":" + k.Session }
func (k sessionKeys) webhooks() string { return k.member() + webhooksSuffix }

const webhooksSuffix = ":webhooks"

// readMember reads a member of a bucket's deadlines.
func readMember(bucket uint16, member string) (Due, error) {
	tenant, sid, ok := strings.Cut(member, ":")
	if !ok {
		return Due{}, fmt.Errorf("read deadline member %q: no colon", member)
	}
	sid, webhooks := strings.CutSuffix(sid, webhooksSuffix)
	return Due{Topic: stream.Topic{Bucket: bucket, Tenant: tenant, Session: sid}, Webhooks: webhooks}, nil
}

// SharedKeys are the sorted sets that a tenant's sessions share with those of
// others; its members in them begin with its name and a colon.
func SharedKeys(tenant string) []string {
	var keys []string
	for _, bucket := range BucketsOf(tenant) {
		keys = append(keys, deadlinesKey(bucket), pendingKey(bucket))
	}
	return keys
}
