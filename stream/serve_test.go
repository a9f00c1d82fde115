package stream_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// stage is a log with some events and a running replica, in fake time.
type stage struct {
	t    *testing.T
	logs *streamtest.Logs
	hub  *stream.Hub
}

func onStage(t *testing.T, change func(*stream.Config), play func(s stage)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		logs := streamtest.New()
		logs.Append(topic, drafts(3)...)
		hub := newHub(logs, change)
		start(t, hub)
		play(stage{t: t, logs: logs, hub: hub})
	})
}

func (s stage) connect(r stream.Request) *client {
	r.Topic = topic
	c := connect(s.t, s.hub, r)
	synctest.Wait()
	return c
}

func (s stage) pass(d time.Duration) {
	time.Sleep(d) // fake time
	synctest.Wait()
}

func (s stage) wholeLog() []string { return ids(s.logs.Events(topic)) }

func TestAStreamReplaysTheLogAndGoesOnLive(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		require.Equal(t, s.wholeLog(), c.ids())
		require.True(t, strings.HasPrefix(c.text(), "retry: 1000\n\n"), "the hint comes first")
		require.Equal(t, http.Header{
			"Content-Type":      {"text/event-stream"},
			"Cache-Control":     {"no-store, no-transform"},
			"X-Accel-Buffering": {"no"},
		}, c.head)

		s.logs.Append(topic, drafts(2)...)
		synctest.Wait()
		require.Equal(t, s.wholeLog(), c.ids())
		for i, e := range c.events() {
			require.Equal(t, string(s.logs.Events(topic)[i].JSON), e.data)
		}
	})
}

func TestAReaderResumesBehindItsCursor(t *testing.T) {
	onStage(t, nil, func(s stage) {
		all := s.wholeLog()
		for i, id := range all {
			c := s.connect(stream.Request{Cursor: cursor(t, id)})
			require.Equal(t, append([]string{}, all[i+1:]...), c.ids())
		}
	})
}

func TestLatestIsLiveOnlyAndTellsWhereItBegan(t *testing.T) {
	onStage(t, nil, func(s stage) {
		before := s.wholeLog()
		c := s.connect(stream.Request{Cursor: stream.Latest()})
		require.Equal(t, before[2:], c.ids())
		require.Empty(t, c.events()[0].data, "only the id, no event")
		s.logs.Append(topic, drafts(1)...)
		synctest.Wait()
		require.Equal(t, s.wholeLog()[2:], c.ids())
	})
}

func TestOneDrainIsOneFlush(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		before := c.flushed()
		s.logs.Append(topic, drafts(40)...)
		synctest.Wait()
		require.Equal(t, before+1, c.flushed())
		require.Len(t, c.ids(), 43)
	})
}

func TestASilentStreamHasAHeartbeat(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.pass(46 * time.Second)
		require.Equal(t, 3, strings.Count(c.text(), ": heartbeat\n\n"))
		require.Equal(t, s.wholeLog(), c.ids(), "an unfiltered stream's heartbeat has no id")
	})
}

func TestAFilteredStreamIsToldWhereItStands(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{Filter: filter(t, "batch.")})
		require.Empty(t, c.ids())
		s.logs.Append(topic, draft("batch.started", 1), draft("call.result", 1))
		synctest.Wait()
		all := s.wholeLog()
		require.Equal(t, all[3:4], c.ids())
		s.pass(15 * time.Second)
		require.Equal(t, all[3:5], c.ids())
		require.Empty(t, c.events()[1].data)
	})
}

func TestALostNoticeIsMadeGoodWithinFiveSeconds(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Commit(topic, drafts(1)...)
		s.pass(5 * time.Second)
		require.Equal(t, s.wholeLog(), c.ids())
	})
}

func TestTheFeedCanAskForAComparisonAtOnce(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Commit(topic, drafts(1)...)
		s.hub.Resync([]uint16{topic.Bucket + 1})
		synctest.Wait()
		require.Len(t, c.ids(), 3, "another bucket")
		s.hub.Resync([]uint16{topic.Bucket})
		synctest.Wait()
		require.Equal(t, s.wholeLog(), c.ids())
	})
}

func TestAClosedSessionsStreamEnds(t *testing.T) {
	onStage(t, nil, func(s stage) {
		live := s.connect(stream.Request{})
		filtered := s.connect(stream.Request{Filter: filter(t, "batch.")})
		s.logs.Append(topic, draft(stream.TypeClosed, 1))
		synctest.Wait()
		late := s.connect(stream.Request{})
		again := s.connect(stream.Request{Cursor: cursor(t, s.wholeLog()[3])})
		for _, c := range []*client{live, filtered, late, again} {
			require.True(t, c.over())
			require.NoError(t, c.err)
		}
		require.Equal(t, s.wholeLog(), live.ids())
		require.Equal(t, s.wholeLog(), late.ids())
		require.Equal(t, s.wholeLog()[3:], filtered.ids(), "the id without the event")
		require.Empty(t, again.ids())
	})
}

func TestALogThatVanishesIsSaid(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{Filter: filter(t, "batch.")})
		s.logs.Remove(topic)
		s.pass(5 * time.Second)
		require.True(t, c.over())
		require.NoError(t, c.err)
		require.Equal(t, []wireEvent{{
			typ:  "stream.error",
			data: `{"type":"stream.error","session_id":"ses_1","time":"2025-01-02T03:04:05.678Z","data":{"reason":"gone"}}`,
		}}, c.events())
	})
}

func TestALogThatNeverWasIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := connect(s.t, s.hub, stream.Request{Topic: stream.Topic{Bucket: 1, Session: "ses_2"}})
		<-c.done
		require.ErrorIs(t, c.err, stream.ErrNoLog)
		require.NotErrorIs(t, c.err, stream.ErrStarted)
		require.Empty(t, c.text())
	})
}

func TestAStreamOutlivesAnOutageOfTheLog(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Fail(errors.New("connection refused"))
		s.logs.Commit(topic, drafts(2)...)
		s.pass(time.Minute)
		require.False(t, c.over())
		require.Len(t, c.ids(), 3)
		s.logs.Fail(nil)
		s.pass(5 * time.Second)
		require.Equal(t, s.wholeLog(), c.ids())
	})
}

func TestAnOutageAtTheStartIsAnswered(t *testing.T) {
	onStage(t, nil, func(s stage) {
		outage := errors.New("connection refused")
		s.logs.Fail(outage)
		c := s.connect(stream.Request{})
		require.True(t, c.over())
		require.ErrorIs(t, c.err, outage)
		require.NotErrorIs(t, c.err, stream.ErrStarted)
	})
}

func TestAWriterWithoutDeadlinesIsRefused(t *testing.T) {
	onStage(t, nil, func(s stage) {
		w := httptest.NewRecorder()
		err := s.hub.Serve(s.t.Context(), w, stream.Request{Topic: topic})
		require.ErrorIs(t, err, stream.ErrNotStreamable)
		require.Empty(t, w.Body.String())
	})
}

func TestAReplicaHasABoundOfStreams(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.Readers = 1 }, func(s stage) {
		s.connect(stream.Request{})
		c := s.connect(stream.Request{})
		require.ErrorIs(t, c.err, stream.ErrBusy)
	})
}

func TestWhatNobodyReadsIsDropped(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		require.Equal(t, 1, s.hub.Stats().Topics)
		require.Positive(t, s.hub.Stats().RingBytes)
		c.cancel()
		<-c.done
		s.pass(9 * time.Second)
		require.Equal(t, 1, s.hub.Stats().Topics, "who comes back soon finds the ring")
		s.pass(10 * time.Second)
		require.Equal(t, stream.Stats{}, s.hub.Stats())
	})
}

func TestADrainingReplicaEndsItsStreamsOneByOne(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.Jitter = nil }, func(s stage) {
		var clients []*client
		for range 10 {
			clients = append(clients, s.connect(stream.Request{}))
		}
		s.hub.Drain(20 * time.Second)
		late := s.connect(stream.Request{})
		require.ErrorIs(t, late.err, stream.ErrDraining)
		s.logs.Append(topic, drafts(1)...)
		ended := map[int]int{}
		for second := range 20 {
			s.pass(time.Second)
			for _, c := range clients {
				if c.over() {
					ended[second]++
				}
			}
		}
		require.Greater(t, len(ended), 1)
		for _, c := range clients {
			require.True(t, c.over())
			require.NoError(t, c.err)
			require.Equal(t, 2, strings.Count(c.text(), "retry: "), "a hint at the end")
			require.Equal(t, s.wholeLog(), c.ids())
		}
	})
}
