package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

// running is a world in which host h runs call 0, call 1 is offered, call 2
// waits and call 3 has ended.
func running(t *testing.T) (*world, scheduler.Sender) {
	t.Helper()
	w := newWorld(t, allowAll)
	w.submit(read("a"), read("b"), write("c"), call("d", "no_such_tool", `{}`))
	w.claim("h", 0)
	return w, scheduler.Sender{Host: "h"}
}

func TestOnlyWhoRunsACallSpeaksAboutIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		position int
		host     string
		want     error
	}{
		{"its holder", 0, "h", nil},
		{"another host", 0, "other", scheduler.ErrCallHeld},
		{"nobody by name", 0, "", scheduler.ErrCallHeld},
		{"a call that nobody took", 1, "h", scheduler.ErrNotClaimed},
		{"a call that waits", 2, "h", scheduler.ErrNotDispatched},
		{"a call that has ended", 3, "h", scheduler.ErrCallEnded},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, _ := running(t)
			err := w.tryProgress(scheduler.Sender{Host: c.host}, scheduler.Progress{Position: c.position, Text: "half"})
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.want == nil, w.fx.Changed())
		})
	}
}

func TestAnExtensionGivesTimeFromNowAndNeverTakesAny(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		after  time.Duration
		extend time.Duration
		want   time.Duration // since the claim
	}{
		{"none", time.Minute, 0, 10 * time.Minute},
		{"less than there is", time.Minute, time.Minute, 10 * time.Minute},
		{"hardly more than there is", 0, 10*time.Minute + scheduler.ProgressEvery - 1, 10 * time.Minute},
		{"more than there is", time.Minute, 20 * time.Minute, 21 * time.Minute},
		{"more than anybody gets at once", time.Minute, 48 * time.Hour, time.Minute + scheduler.MaxExtension},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, h := running(t)
			w.env.Now = start.Add(c.after)
			require.NoError(t, w.tryProgress(h, scheduler.Progress{Extend: c.extend}))
			require.Equal(t, start.Add(c.want), w.call(0).Deadline)
			require.Equal(t, c.want != 10*time.Minute, w.fx.Changed())
		})
	}
}

func TestNoCallRunsForEver(t *testing.T) {
	t.Parallel()
	w, h := running(t)
	for w.call(0).State == scheduler.StateClaimed {
		require.NoError(t, w.tryProgress(h, scheduler.Progress{Extend: scheduler.MaxExtension}))
		w.pass(scheduler.MaxExtension / 2)
	}
	require.Equal(t, scheduler.ReasonHostTimeout, *w.result(0).Reason)
	require.WithinDuration(t, start.Add(scheduler.MaxRunTime), w.env.Now, scheduler.MaxExtension)
}

func TestACallWithoutATimeoutNeedsNoExtension(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, func(w *world) { w.tool("read_file").Timeout = 0 })
	w.submit(read("a"))
	w.claim("h", 0)
	require.NoError(t, w.tryProgress(scheduler.Sender{Host: "h"}, scheduler.Progress{Extend: time.Hour}))
	require.Zero(t, w.call(0).Deadline)
}

func TestTextsThatFollowTooSoonOrAreTooManyAreDropped(t *testing.T) {
	t.Parallel()
	w, h := running(t)
	say := func() bool {
		require.NoError(t, w.tryProgress(h, scheduler.Progress{Text: "x"}))
		return w.fx.Progress != nil
	}
	require.True(t, say())
	require.Equal(t, &scheduler.Told{Position: 0, Text: "x"}, w.fx.Progress)
	require.False(t, say())
	require.NoError(t, w.tryProgress(h, scheduler.Progress{Text: "x", Extend: time.Hour}))
	require.Equal(t, &scheduler.Told{Position: 0}, w.fx.Progress, "more time counts, whatever becomes of the text")

	told := 1
	for range 2 * scheduler.MaxProgressTexts {
		w.env.Now = w.env.Now.Add(scheduler.ProgressEvery)
		if say() {
			told++
		}
	}
	require.Equal(t, scheduler.MaxProgressTexts, told)
}

func TestARuntimeViewLivesAsLongAsItsCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.view = `{"of":"batch"}`
	own := read("a")
	own.RuntimeView = `{"of":"call"}`
	skipped := call("b", "no_such_tool", `{}`)
	skipped.RuntimeView = `{"of":"skipped"}`
	w.submit(own, skipped, read("c"))
	require.Equal(t, own.RuntimeView, w.state.Batch.RuntimeViewOf(0))
	require.Equal(t, w.view, w.state.Batch.RuntimeViewOf(2))
	require.Empty(t, w.state.Batch.RuntimeViewOf(1), "it had ended before anybody could look")
	require.Equal(t, []int{1}, w.fx.Unviewed)

	w.report(0, "")
	require.Equal(t, []int{0}, w.fx.Unviewed)
	require.False(t, w.fx.BatchView, "another call is open")
	w.report(2, "")
	require.True(t, w.fx.BatchView)
	require.Empty(t, w.state.Batch.RuntimeView)
}
