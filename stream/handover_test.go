package stream_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// world is one log, one replica, some readers, and an adversary between them.
type world struct {
	t       *rapid.T
	ctx     context.Context
	logs    *streamtest.Logs
	hub     *stream.Hub
	readers []*stream.Reader
	from    []int // per reader: how many events it had at its start
	held    []stream.Notice
	written map[stream.ID]stream.Hash // to the hash before it
}

func newWorld(t *rapid.T) *world {
	w := &world{t: t, ctx: context.Background(), logs: streamtest.New(), written: map[stream.ID]stream.Hash{}}
	ring := rapid.IntRange(600, 20_000).Draw(t, "ring bytes")
	page := rapid.IntRange(200, 20_000).Draw(t, "page bytes")
	w.hub = newHub(w.logs, func(c *stream.Config) { c.RingBytes, c.PageBytes = ring, page })
	w.commit(1)
	return w
}

func (w *world) commit(n int) stream.Notice {
	drafts := make([]stream.Draft, n)
	for i := range drafts {
		drafts[i] = draft("call.result", rapid.SampledFrom([]int{0, 50, 3000}).Draw(w.t, "size"))
	}
	notice := w.logs.Commit(topic, drafts...)
	for _, e := range w.logs.Events(topic) {
		w.written[e.ID()] = e.Prev
	}
	return notice
}

func (w *world) open(t *rapid.T) {
	if len(w.readers) == 4 {
		t.Skip("enough readers")
	}
	events := w.logs.Events(topic)
	had := rapid.IntRange(0, len(events)).Draw(t, "has already")
	cursor := stream.Cursor{}
	if had > 0 {
		var err error
		cursor, err = stream.ParseCursor(events[had-1].ID().String())
		require.NoError(t, err)
	}
	r, err := w.hub.Enter(topic, cursor)
	require.NoError(t, err)
	w.readers, w.from = append(w.readers, r), append(w.from, had)
}

func (w *world) step(t *rapid.T) {
	if len(w.readers) == 0 {
		t.Skip("no reader")
	}
	r := rapid.SampledFrom(w.readers).Draw(t, "reader")
	_, err := r.Step(w.ctx, rapid.IntRange(1, 5).Draw(t, "takes"))
	require.NoError(t, err)
}

func (w *world) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"open": w.open,
		"step": w.step,
		"commit and announce": func(t *rapid.T) {
			w.logs.Announce(w.commit(rapid.IntRange(1, 3).Draw(t, "events")))
		},
		"commit, announce later": func(t *rapid.T) {
			w.held = append(w.held, w.commit(rapid.IntRange(1, 3).Draw(t, "events")))
		},
		"commit, lose the notice": func(*rapid.T) { w.commit(1) },
		"announce late or again": func(t *rapid.T) {
			if len(w.held) == 0 {
				t.Skip("nothing held")
			}
			w.logs.Announce(rapid.SampledFrom(w.held).Draw(t, "notice"))
		},
		"fetch":   func(*rapid.T) { w.hub.FetchQueued(w.ctx) },
		"compare": func(*rapid.T) { w.hub.CompareHeads(w.ctx) },
	}
}

// settle lets the hub and the readers do all that is left to do.
func (w *world) settle() {
	for range 6 {
		w.hub.CompareHeads(w.ctx)
		w.hub.FetchQueued(w.ctx)
		for _, r := range w.readers {
			rest(w.t, r)
		}
	}
}

// rest lets a reader do all that it can.
func rest(t *rapid.T, r *stream.Reader) {
	for range 10_000 {
		waiting, err := r.Step(context.Background(), 7)
		require.NoError(t, err)
		if waiting {
			return
		}
	}
	require.Fail(t, "a reader never comes to rest")
}

func TestEveryEventIsSeenOnceAndInOrderWheneverItIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		t.Repeat(w.actions())
		w.settle()
		events := w.logs.Events(topic)
		for i, r := range w.readers {
			want := make([]stream.Seen, 0, len(events))
			for _, e := range events[w.from[i]:] {
				want = append(want, stream.Seen{ID: e.ID()})
			}
			require.Equal(t, want, append([]stream.Seen{}, r.Seen...), "reader %d", i)
		}
	})
}

func TestAHistoryThatChangesIsNeverMixedWithTheOldOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		actions := w.actions()
		actions["lose the tail"] = func(t *rapid.T) {
			events := w.logs.Events(topic)
			if len(events) < 2 {
				t.Skip("nothing to lose")
			}
			first := events[0].Seq
			w.logs.Rewind(topic, rapid.Uint64Range(first, first+uint64(len(events))-2).Draw(t, "to"))
			w.held = nil
		}
		actions["trim"] = func(t *rapid.T) {
			if events := w.logs.Events(topic); len(events) > 1 {
				w.logs.Trim(topic, rapid.Uint64Range(events[0].Seq, events[len(events)-1].Seq).Draw(t, "first"))
			}
		}
		t.Repeat(actions)
		w.commit(1)
		w.settle()
		for i, r := range w.readers {
			w.checkHonest(i, r)
		}
	})
}

// checkHonest says that what a reader saw is stretches of histories that were
// written, each contiguous, parted by resets, the last one ending at the head.
func (w *world) checkHonest(i int, r *stream.Reader) {
	events := w.logs.Events(topic)
	var last stream.ID
	for n, s := range r.Seen {
		prev, written := w.written[s.ID]
		require.True(w.t, written, "reader %d saw what nobody wrote: %v", i, s.ID)
		if s.Reset == "" && n > 0 {
			follows := stream.ID{Seq: s.ID.Seq - 1, Hash: prev}
			require.Equal(w.t, follows, last, "reader %d: not what follows", i)
		}
		last = s.ID
	}
	if len(r.Seen) > 0 && r.Done != stream.ReasonUnstable {
		require.Equal(w.t, events[len(events)-1].ID(), last, "reader %d does not end at the head", i)
	}
}
