package stream_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestAStalledReaderIsCutOffAloneWhileOthersGetEverything(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.RingBytes = 4 << 10 }, func(s stage) {
		stuck := s.connect(stream.Request{})
		others := make([]*client, 50)
		for i := range others {
			others[i] = s.connect(stream.Request{})
		}
		stuck.stall()
		for range 100 {
			s.logs.Append(topic, drafts(5)...)
			synctest.Wait()
		}
		require.False(t, stuck.over(), "no time has passed")
		for _, c := range others {
			require.Equal(t, s.wholeLog(), c.ids())
		}
		require.LessOrEqual(t, s.hub.Stats().RingBytes, 4<<10)
		s.pass(10 * time.Second)
		require.ErrorIs(t, stuck.err, stream.ErrSlow)
		require.ErrorIs(t, stuck.err, stream.ErrStarted)

		back := s.connect(stream.Request{Cursor: cursor(t, stuck.ids()[2])})
		require.Equal(t, s.wholeLog()[3:], back.ids(), "it comes back with its cursor")
	})
}

func TestACrowdCostsOneReadOfTheLog(t *testing.T) {
	onStage(t, nil, func(s stage) {
		crowd := make([]*client, 200)
		for i := range crowd {
			crowd[i] = connect(s.t, s.hub, stream.Request{Topic: topic})
		}
		synctest.Wait()
		require.Equal(t, 1, s.logs.Reads(), "who comes while it is read finds it in the ring")

		s.logs.Append(topic, draft("batch.started", 20_000)) // too large for a notice
		synctest.Wait()
		require.Equal(t, 2, s.logs.Reads(), "a large event is read once")
		for _, c := range crowd {
			require.Equal(t, s.wholeLog(), c.ids())
		}
	})
}

func TestALongHistoryIsReadOnceForAllWhoComeBackToIt(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.PageBytes = 1000 }, func(s stage) {
		s.logs.Append(topic, drafts(40)...)
		crowd := make([]*client, 20)
		for i := range crowd {
			crowd[i] = connect(s.t, s.hub, stream.Request{Topic: topic})
		}
		synctest.Wait()
		reads := s.logs.Reads()
		crowd = append(crowd, s.connect(stream.Request{}))
		require.Equal(t, reads, s.logs.Reads(), "who comes later finds it in the ring")
		for _, c := range crowd {
			require.Equal(t, s.wholeLog(), c.ids())
		}
	})
}

func TestALogIsFollowedAsLongAsItExists(t *testing.T) {
	onStage(t, nil, func(s stage) {
		require.False(t, s.hub.Follows(topic), "nobody reads it")
		s.connect(stream.Request{})
		require.True(t, s.hub.Follows(topic))
		s.logs.Remove(topic)
		s.pass(5 * time.Second)
		require.False(t, s.hub.Follows(topic))
	})
}

func TestALiveRingTakesInTheHistoryThatAReaderPages(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.PageBytes = 100_000 }, func(s stage) {
		s.connect(stream.Request{Cursor: stream.Latest()})
		s.logs.Append(topic, drafts(2)...)
		s.connect(stream.Request{})
		reads := s.logs.Reads()
		require.Equal(t, s.wholeLog(), s.connect(stream.Request{}).ids())
		require.Equal(t, reads, s.logs.Reads())
	})
}

func TestALiveReaderIsNotShownTheHistoryThatTheRingIsStillTakingIn(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.PageBytes = 1000 }, func(s stage) {
		s.logs.Append(topic, drafts(40)...)
		connect(s.t, s.hub, stream.Request{Topic: topic})
		live := s.connect(stream.Request{Cursor: stream.Latest()})
		s.logs.Append(topic, drafts(1)...)
		synctest.Wait()
		require.Equal(t, s.wholeLog()[42:], live.ids(), "the id it begins behind, and what came")
	})
}

func TestReadersServedFromTheLogAreBounded(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.Pagers, c.RingBytes = 1, 1 }, func(s stage) {
		stuck := newClient()
		stuck.stall()
		go func() {
			defer close(stuck.done)
			stuck.err = s.hub.Serve(s.t.Context(), stuck, stream.Request{Topic: topic})
		}()
		synctest.Wait()
		waiting := s.connect(stream.Request{})
		require.Empty(t, waiting.ids(), "the one place is taken")
		s.pass(10 * time.Second)
		require.ErrorIs(t, stuck.err, stream.ErrSlow)
		require.Equal(t, s.wholeLog(), waiting.ids())
	})
}

func TestRingsStayWithinTheReplicasBudget(t *testing.T) {
	const budget = 50_000
	onStage(t, func(c *stream.Config) { c.BudgetBytes = budget }, func(s stage) {
		clients := map[stream.Topic]*client{}
		for i := range 20 {
			key := stream.Topic{Bucket: uint16(i), Tenant: "acme", Session: fmt.Sprint("ses_", i)}
			s.logs.Append(key, drafts(1)...)
			clients[key] = connect(s.t, s.hub, stream.Request{Topic: key})
		}
		synctest.Wait()
		for range 20 {
			for key := range clients {
				s.logs.Append(key, draft("call.result", 1000))
				require.LessOrEqual(t, s.hub.Stats().RingBytes, budget)
			}
		}
		synctest.Wait()
		require.Greater(t, s.hub.Stats().RingBytes, budget/2, "and use it")
		for key, c := range clients {
			require.Equal(t, ids(s.logs.Events(key)), c.ids())
		}
	})
}

func TestAHistoryThatDivergedResetsEveryReader(t *testing.T) {
	var told atomic.Int32
	diverged := func(c *stream.Config) { c.OnDiverged = func(stream.Topic) { told.Add(1) } }
	onStage(t, diverged, func(s stage) {
		readers := []*client{
			s.connect(stream.Request{}),
			s.connect(stream.Request{Filter: filter(t, "batch.")}),
			s.connect(stream.Request{Cursor: stream.Latest()}),
		}
		seen := s.wholeLog()
		s.logs.Rewind(topic, 2)
		s.logs.Append(topic, draft("batch.started", 5)) // the same seq, another h
		synctest.Wait()
		now := s.wholeLog()
		require.NotEqual(t, seen, now)
		s.logs.Append(topic, draft("batch.completed", 5))
		synctest.Wait()
		for _, c := range readers {
			got := c.events()
			got = got[len(got)-3:]
			require.Equal(t, "stream.reset", got[0].typ)
			require.False(t, got[0].hasID)
			require.Contains(t, got[0].data, `"data":{"reason":"diverged","cursor":"3-`)
			require.Equal(t, "session.snapshot", got[1].typ)
			require.Equal(t, now[2], got[1].id)
			require.Contains(t, got[1].data, `{"seq":3,"type":"session.snapshot","session_id":"ses_1"`)
			require.Equal(t, s.wholeLog()[3], got[2].id, "then live")
		}
		require.EqualValues(t, 1, told.Load())
	})
}

// heldSnapshots are made when they are let.
type heldSnapshots struct {
	stream.Snapshotter
	let  chan struct{}
	made atomic.Int32
}

func (h *heldSnapshots) Snapshot(ctx context.Context, t stream.Topic) ([]byte, stream.ID, error) {
	h.made.Add(1)
	<-h.let
	return h.Snapshotter.Snapshot(ctx, t)
}

func TestACrowdWhoseHistoryDivergedSharesOneSnapshot(t *testing.T) {
	var held *heldSnapshots
	hold := func(c *stream.Config) {
		held = &heldSnapshots{Snapshotter: c.Snapshots, let: make(chan struct{})}
		c.Snapshots = held
	}
	onStage(t, hold, func(s stage) {
		crowd := make([]*client, 50)
		for i := range crowd {
			crowd[i] = s.connect(stream.Request{})
		}
		s.logs.Rewind(topic, 2)
		s.logs.Append(topic, draft("batch.started", 5))
		synctest.Wait()
		close(held.let)
		synctest.Wait()
		require.EqualValues(t, 1, held.made.Load())
		for _, c := range crowd {
			last := c.events()[len(c.events())-1]
			require.Equal(t, stream.TypeSnapshot, last.typ)
			require.Equal(t, s.wholeLog()[2], last.id)
		}
	})
}

func TestAnOlderSnapshotOfTheLogUnderLiveReadersIsNoticed(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Rewind(topic, 1)
		s.pass(5 * time.Second)
		require.Equal(t, "stream.reset", c.events()[3].typ)
		require.Contains(t, c.events()[3].data, `"reason":"diverged"`)
		require.Equal(t, s.wholeLog()[0], c.events()[4].id)
	})
}

func TestCursorsThatCannotBeContinuedAreReset(t *testing.T) {
	for name, bad := range map[string]struct {
		cursor, reason string
		trim           uint64
	}{
		"ahead of the log":              {cursor: "99-00000000", reason: "ahead"},
		"another hash":                  {cursor: "2-00000000", reason: "diverged"},
		"another hash at the head":      {cursor: "3-00000000", reason: "diverged"},
		"another hash at the beginning": {cursor: "0-deadbeef", reason: "diverged"},
		"trimmed":                       {cursor: "1-00000000", reason: "trimmed", trim: 3},
		"none, and the log is trimmed":  {cursor: "", reason: "trimmed", trim: 2},
	} {
		t.Run(name, func(t *testing.T) {
			onStage(t, nil, func(s stage) {
				s.logs.Trim(topic, bad.trim)
				c := s.connect(stream.Request{Cursor: cursor(t, bad.cursor), Filter: filter(t, "x")})
				got := c.events()
				require.Len(t, got, 2, "reset and snapshot pass every filter")
				require.Equal(t, "stream.reset", got[0].typ)
				require.Contains(t, got[0].data, `"reason":"`+bad.reason+`"`)
				require.Equal(t, "session.snapshot", got[1].typ)
				require.Equal(t, s.wholeLog()[len(s.wholeLog())-1], got[1].id)
				require.False(t, c.over())
			})
		})
	}
}

func TestACursorRightBeforeTheOldestEventGoesOn(t *testing.T) {
	onStage(t, nil, func(s stage) {
		before := s.wholeLog()
		s.logs.Trim(topic, 2)
		c := s.connect(stream.Request{Cursor: cursor(t, before[0])})
		require.Equal(t, before[1:], c.ids())
	})
}

func TestTextInEventsCannotForgeAFrame(t *testing.T) {
	onStage(t, nil, func(s stage) {
		s.logs.Append(topic, stream.Draft{
			Type: "call.result", BatchID: "b\n\ndata: x",
			Data: []byte(`{"output":"\r\n\n\u0000\n\nevent: session.closed\ndata: {}"}`),
		})
		c := s.connect(stream.Request{})
		require.Equal(t, s.wholeLog(), c.ids())
		require.NotContains(t, c.text(), "\nevent: session.closed")
	})
}

func TestAnEventThatCannotBeSentSafelyEndsTheStream(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Append(topic, stream.Draft{Type: "call\nid: 1", Data: []byte(`{}`)})
		synctest.Wait()
		require.True(t, c.over())
		require.Contains(t, c.events()[3].data, `"reason":"corrupt"`)
		require.Equal(t, 1, strings.Count(c.text(), "\nid: 3-"), "nothing forged")
	})
}

func TestTenThousandEventsAtOnceAreGapless(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Append(topic, drafts(10_000)...)
		synctest.Wait()
		require.Equal(t, s.wholeLog(), c.ids())
	})
}
