package stream_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

var errOutage = errors.New("connection refused")

// noRing lets no frame stay in a ring, so that readers need the log.
func noRing(c *stream.Config) { c.RingBytes = 1 }

func TestAReaderOfHistoryOutlivesAnOutageOfTheLog(t *testing.T) {
	onStage(t, noRing, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Fail(errOutage)
		s.logs.Append(topic, drafts(2)...)
		s.pass(time.Minute)
		require.False(t, c.over())
		require.Len(t, c.ids(), 3)
		require.Equal(t, 4, strings.Count(c.text(), ": heartbeat"), "it is kept alive")
		s.logs.Fail(nil)
		s.pass(2 * time.Second)
		require.Equal(t, s.wholeLog(), c.ids())
	})
}

// partlyAway is logs of which one can't be read.
type partlyAway struct {
	*streamtest.Logs
	silent stream.Topic
}

func (p *partlyAway) Heads(ctx context.Context, ts []stream.Topic) ([]stream.ID, error) {
	heads, err := p.Logs.Heads(ctx, ts)
	for i, t := range ts {
		if t == p.silent {
			heads[i], err = stream.Unread, errOutage
		}
	}
	return heads, err
}

func TestALostNoticeIsMadeGoodWhileAnotherLogCannotBeRead(t *testing.T) {
	elsewhere := stream.Topic{Bucket: 8, Tenant: "acme", Session: "ses_elsewhere"}
	away := func(c *stream.Config) { c.Log = &partlyAway{c.Log.(*streamtest.Logs), elsewhere} }
	onStage(t, away, func(s stage) {
		s.logs.Append(elsewhere, drafts(1)...)
		other, c := connect(s.t, s.hub, stream.Request{Topic: elsewhere}), s.connect(stream.Request{})
		s.logs.Commit(topic, drafts(1)...)
		s.pass(5 * time.Second)
		require.Equal(t, s.wholeLog(), c.ids())
		require.False(t, other.over(), "what can't be read is not gone")
		require.NotContains(t, other.text(), stream.TypeReset)
	})
}

func TestAReaderThatComesDuringAnOutageOfTheLogIsRefused(t *testing.T) {
	onStage(t, nil, func(s stage) {
		s.logs.Fail(errOutage)
		c := s.connect(stream.Request{})
		<-c.done
		require.ErrorIs(t, c.err, stream.ErrUnreadable)
		require.ErrorIs(t, c.err, errOutage)
		require.Empty(t, c.text(), "nothing is written, so it can be answered")
	})
}

func TestAResetOutlivesAnOutageOfTheLog(t *testing.T) {
	onStage(t, nil, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Rewind(topic, 1)
		n := s.logs.Commit(topic, draft("batch.started", 1))
		s.logs.Fail(errOutage)
		s.logs.Announce(n)
		s.pass(time.Minute)
		require.Len(t, c.ids(), 3)
		s.logs.Fail(nil)
		s.pass(2 * time.Second)
		require.Equal(t, "stream.reset", c.events()[3].typ)
		require.Equal(t, s.wholeLog()[1], c.events()[4].id)
	})
}

func TestAStreamThatWaitsForTheLogCanDrainAndBeLeft(t *testing.T) {
	onStage(t, noRing, func(s stage) {
		drained, left := s.connect(stream.Request{}), s.connect(stream.Request{})
		s.logs.Fail(errOutage)
		s.logs.Append(topic, drafts(1)...)
		synctest.Wait()
		left.cancel()
		<-left.done
		require.NoError(t, left.err)
		s.hub.Drain(time.Second)
		s.pass(time.Second)
		require.True(t, drained.over())
		require.NoError(t, drained.err)
	})
}

func TestALogThatVanishesWhileHistoryIsNeededIsSaid(t *testing.T) {
	onStage(t, noRing, func(s stage) {
		c := s.connect(stream.Request{})
		n := s.logs.Commit(topic, drafts(1)...)
		s.logs.Remove(topic)
		s.logs.Announce(n)
		synctest.Wait()
		require.True(t, c.over())
		require.Contains(t, c.text(), `"data":{"reason":"gone"}`)
	})
}

func TestAReaderThatFellOffItsRingAndOffTheLogIsReset(t *testing.T) {
	onStage(t, noRing, func(s stage) {
		c := s.connect(stream.Request{})
		n := s.logs.Commit(topic, drafts(5)...)
		s.logs.Trim(topic, 6)
		s.logs.Announce(n)
		synctest.Wait()
		got := c.events()
		require.Len(t, got, 5)
		require.Contains(t, got[3].data, `"reason":"trimmed","cursor":"3-`)
		require.Equal(t, s.wholeLog()[2], got[4].id)
	})
}

func TestHistoryThatChangedUnderASlowReaderIsNotJoined(t *testing.T) {
	onStage(t, noRing, func(s stage) {
		c := s.connect(stream.Request{})
		s.logs.Rewind(topic, 2)
		s.logs.Commit(topic, draft("batch.started", 9), draft("batch.started", 9))
		s.pass(5 * time.Second)
		require.Contains(t, c.events()[3].data, `"reason":"diverged"`)
		require.Equal(t, s.wholeLog()[3], c.events()[4].id)
	})
}

func TestAStreamThatWaitsTooLongForAPlaceIsRefused(t *testing.T) {
	tight := func(c *stream.Config) { c.Pagers, c.RingBytes, c.WriteTimeout = 1, 1, time.Hour }
	onStage(t, tight, func(s stage) {
		stuck := newClient()
		stuck.stall()
		go func() {
			defer close(stuck.done)
			stuck.err = s.hub.Serve(s.t.Context(), stuck, stream.Request{Topic: topic})
		}()
		synctest.Wait()
		late := s.connect(stream.Request{})
		s.pass(15 * time.Second)
		require.ErrorIs(t, late.err, stream.ErrBusy)
		require.Empty(t, late.text())
		<-stuck.done
	})
}
