package stream_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// estate is a tenant's logs, two replicas, some readers, and an adversary
// between them.
type estate struct {
	t       *rapid.T
	ctx     context.Context
	logs    *streamtest.Logs
	hubs    [2]*stream.Hub
	readers []*visitor
	held    []stream.Notice
	written [stream.TenantLogs]map[stream.ID]stream.Hash // to the hash before it
}

// visitor is a reader of all the logs, with what it had when it came.
type visitor struct {
	*stream.Reader
	from stream.Vector
}

// busy are the logs that something happens in.
var busy = []int{0, 6, 15}

func newEstate(t *rapid.T) *estate {
	e := &estate{t: t, ctx: context.Background(), logs: streamtest.New()}
	for _, log := range busy {
		e.written[log] = map[stream.ID]stream.Hash{}
	}
	ring := rapid.IntRange(600, 20_000).Draw(t, "ring bytes")
	page := rapid.IntRange(200, 20_000).Draw(t, "page bytes")
	for i := range e.hubs {
		e.hubs[i] = newHub(e.logs, func(c *stream.Config) { c.RingBytes, c.PageBytes = ring, page })
	}
	return e
}

func (e *estate) topic(log int) stream.Topic {
	return stream.TenantTopic(streamtest.Buckets()[log], "acme")
}

func (e *estate) commit(t *rapid.T) stream.Notice {
	log := rapid.SampledFrom(busy).Draw(t, "log")
	drafts := make([]stream.Draft, rapid.IntRange(1, 3).Draw(t, "events"))
	for i := range drafts {
		drafts[i] = draft("session.updated", rapid.SampledFrom([]int{0, 50, 3000}).Draw(t, "size"))
	}
	notice := e.logs.Commit(e.topic(log), drafts...)
	for _, event := range e.logs.Events(e.topic(log)) {
		e.written[log][event.ID()] = event.Prev
	}
	return notice
}

// open lets a reader come with nothing, or with any place that it may have been
// at: a part of each log.
func (e *estate) open(t *rapid.T) {
	if len(e.readers) == 4 {
		t.Skip("enough readers")
	}
	r := stream.TenantRequest{Tenant: "acme", Buckets: streamtest.Buckets()}
	v := &visitor{}
	if rapid.Bool().Draw(t, "has a cursor") {
		v.from = e.somewhere(t)
		var err error
		r.Cursor, err = stream.ParseTenantCursor(v.from.String())
		require.NoError(t, err)
	}
	var err error
	v.Reader, err = rapid.SampledFrom(e.hubs[:]).Draw(t, "replica").EnterTenant(r)
	require.NoError(t, err)
	e.readers = append(e.readers, v)
}

func (e *estate) somewhere(t *rapid.T) (v stream.Vector) {
	for _, log := range busy {
		events := e.logs.Events(e.topic(log))
		if had := rapid.IntRange(0, len(events)).Draw(t, "has already"); had > 0 {
			v[log] = events[had-1].ID()
		}
	}
	return v
}

func (e *estate) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"open": e.open,
		"step": func(t *rapid.T) {
			if len(e.readers) == 0 {
				t.Skip("no reader")
			}
			_, err := rapid.SampledFrom(e.readers).Draw(t, "reader").Step(e.ctx, rapid.IntRange(1, 5).Draw(t, "takes"))
			require.NoError(t, err)
		},
		"commit and announce":     func(t *rapid.T) { e.logs.Announce(e.commit(t)) },
		"commit, announce later":  func(t *rapid.T) { e.held = append(e.held, e.commit(t)) },
		"commit, lose the notice": func(t *rapid.T) { e.commit(t) },
		"announce late or again": func(t *rapid.T) {
			if len(e.held) == 0 {
				t.Skip("nothing held")
			}
			e.logs.Announce(rapid.SampledFrom(e.held).Draw(t, "notice"))
		},
		"fetch":   func(t *rapid.T) { rapid.SampledFrom(e.hubs[:]).Draw(t, "replica").FetchQueued(e.ctx) },
		"compare": func(t *rapid.T) { rapid.SampledFrom(e.hubs[:]).Draw(t, "replica").CompareHeads(e.ctx) },
	}
}

// settle lets the hubs and the readers do all that is left to do.
func (e *estate) settle() {
	for range 8 {
		for _, hub := range e.hubs {
			hub.CompareHeads(e.ctx)
			hub.FetchQueued(e.ctx)
		}
		for _, r := range e.readers {
			rest(e.t, r.Reader)
		}
	}
}

// check says that what a reader saw of each log is stretches of histories that
// were written, each contiguous from where it came or was reset, and that the
// ids on the wire name just what it has.
func (e *estate) check(r *visitor, resets bool) {
	at := r.from
	for n, s := range r.Seen {
		if s.Log == stream.State {
			require.True(e.t, resets || n == 0, "a reset without a reason: %v", r.Seen)
			var err error
			at, err = stream.ParseVector(s.At)
			require.NoError(e.t, err)
			continue
		}
		prev, written := e.written[s.Log][s.ID]
		require.True(e.t, written, "saw what nobody wrote: %v", s)
		require.Equal(e.t, at[s.Log].Seq+1, s.ID.Seq, "not what follows")
		require.Equal(e.t, at[s.Log].Hash[:4], prev[:4], "another history")
		at[s.Log] = s.ID
		require.Equal(e.t, at.String(), s.At)
	}
	if r.Done != stream.ReasonUnstable {
		end := e.logs.Place("acme")
		require.Equal(e.t, end.String(), at.String(), "does not end at the heads")
	}
}

func TestEveryEventOfATenantIsSeenOnceAndInOrderOfItsLog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := newEstate(t)
		t.Repeat(e.actions())
		e.settle()
		for _, r := range e.readers {
			e.check(r, false)
		}
	})
}

func TestATenantsHistoriesAreNeverMixed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := newEstate(t)
		actions := e.actions()
		actions["lose the tail"] = func(t *rapid.T) {
			topic := e.topic(rapid.SampledFrom(busy).Draw(t, "log"))
			events := e.logs.Events(topic)
			if len(events) == 0 {
				t.Skip("nothing to lose")
			}
			first := events[0].Seq
			e.logs.Rewind(topic, rapid.Uint64Range(first-1, first+uint64(len(events))-2).Draw(t, "to"))
			e.held = nil
		}
		actions["trim"] = func(t *rapid.T) {
			topic := e.topic(rapid.SampledFrom(busy).Draw(t, "log"))
			if events := e.logs.Events(topic); len(events) > 0 {
				e.logs.Trim(topic, rapid.Uint64Range(events[0].Seq, events[len(events)-1].Seq+1).Draw(t, "first"))
			}
		}
		t.Repeat(actions)
		e.settle()
		for _, r := range e.readers {
			e.check(r, true)
		}
	})
}
