package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/sessions"
)

func TestDrainingAnswersEveryLongPollWithWhatThereIs(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(nil).ID, call("r", "read_file", `{}`))
	poll := func() <-chan sessions.Batch {
		answered := make(chan sessions.Batch, 1)
		go func() {
			got, _ := a.Batch(t.Context(), a.caller, b.SessionID, b.ID, time.Minute) // the batch is compared
			answered <- got
		}()
		return answered
	}
	before := poll()
	require.Never(t, func() bool { return len(before) > 0 }, 50*time.Millisecond, 10*time.Millisecond, "it waits")
	a.Drain()
	require.Equal(t, b, <-before)
	require.Equal(t, b, <-poll(), "one that comes later does not wait")
	a.succeed(b, 0, "other requests are served as ever")
}
