package stream_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

func TestAHubCountsWhatItsReadersGot(t *testing.T) {
	onStage(t, nil, func(s stage) {
		s.connect(stream.Request{})
		s.connect(stream.Request{})
		s.logs.Append(topic, drafts(2)...)
		synctest.Wait()
		require.Equal(t, uint64(2*(3+2)), s.hub.Totals().Frames)

		s.connect(stream.Request{Cursor: cursor(t, "900-00000000")})
		require.Equal(t, uint64(1), s.hub.Totals().Resets[stream.ReasonAhead])

		stuck := s.connect(stream.Request{})
		stuck.stall()
		s.logs.Append(topic, drafts(1)...)
		s.pass(time.Minute)
		require.Equal(t, uint64(1), s.hub.Totals().SlowReaders)
	})
}

func TestOnlyEventsThatWereWaitedForTellHowLongTheyTook(t *testing.T) {
	var took []time.Duration
	onStage(t, func(c *stream.Config) {
		c.Now = func() time.Time { return streamtest.Epoch.Add(time.Second) }
		c.OnDelivered = func(d time.Duration) { took = append(took, d) }
	}, func(s stage) {
		s.connect(stream.Request{})
		require.Empty(t, took, "history was not waited for")
		s.logs.Append(topic, drafts(2)...)
		synctest.Wait()
		require.Equal(t, []time.Duration{time.Second}, took, "once a drain")
	})
}
