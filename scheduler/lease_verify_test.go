package scheduler_test

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/scheduler"
)

// verifyLease: fences only grow, effects tell every lease that ends or begins,
// and what was claimed ends with the lease under which it was.
func verifyLease(w *world, before, after scheduler.State, fx *scheduler.Effects) {
	w.Helper()
	was, is := before.Session.Lease, after.Session.Lease
	if fx.Attached {
		require.Equal(w, before.Session.Fences+1, is.Fence)
		require.Equal(w, is.Fence, after.Session.Fences)
	} else {
		require.Equal(w, before.Session.Fences, after.Session.Fences)
		require.True(w, is == nil || is == was)
	}
	require.Equal(w, was != nil && (is == nil || fx.Attached), fx.Lost != nil)
	if fx.Lost != nil {
		require.Equal(w, []any{was.Host, was.Fence}, []any{fx.Lost.Host, fx.Lost.Fence})
	}
	if fx.Lost == nil && !fx.Attached || after.Batch == nil || fx.Submitted {
		verifyHolders(w, after)
		return
	}
	for i, c := range before.Batch.Calls {
		if c.State == scheduler.StateClaimed {
			require.Contains(w, []scheduler.Reason{scheduler.ReasonHostLost, scheduler.ReasonSessionClosed}, reason(&after.Batch.Calls[i]))
			require.Equal(w, scheduler.ExecutionUnknown, after.Batch.Calls[i].Result.ExecutionStatus)
		}
	}
	for _, c := range after.Batch.Calls {
		require.NotEqual(w, scheduler.StateClaimed, c.State, "a call is held by a host that is lost")
	}
}

// verifyHolders: while a host is attached, it holds all that is claimed.
func verifyHolders(w *world, s scheduler.State) {
	w.Helper()
	if s.Session.Lease == nil || s.Batch == nil {
		return
	}
	for _, c := range s.Batch.Calls {
		if c.State == scheduler.StateClaimed {
			require.Equal(w, s.Session.Lease.Host, c.Host)
		}
	}
}

// views: an ended call has no runtime view, an ended batch has none, and what
// is gone was there and is told.
func (d *diff) views() {
	d.Helper()
	var gone []int
	for i := range d.is.Calls {
		c := &d.is.Calls[i]
		if c.State == scheduler.StateDone {
			require.Empty(d, c.RuntimeView)
			require.Empty(d, d.is.RuntimeViewOf(i))
		}
		if d.before[i].RuntimeView != "" && c.RuntimeView == "" {
			gone = append(gone, i)
		}
	}
	if !d.fx.Submitted {
		require.ElementsMatch(d, gone, d.fx.Unviewed)
		require.Equal(d, d.was.RuntimeView != "" && d.is.RuntimeView == "", d.fx.BatchView)
	}
	if d.is.Status != scheduler.BatchRunning {
		require.Empty(d, d.is.RuntimeView)
	}
}

// runner is who may report a call: the attached host, else who claimed it.
func (w *world) runner(position int) scheduler.Sender {
	if l := w.state.Session.Lease; l != nil {
		return scheduler.Sender{Host: l.Host, Fence: l.Fence}
	}
	return scheduler.Sender{Host: w.call(position).Host}
}

// randomSender is the attached host, or somebody else, or from another time.
func (w *world) randomSender(rt *rapid.T, hosts ...string) scheduler.Sender {
	if l := w.state.Session.Lease; l != nil && !rarely(rt, "not attached") {
		return scheduler.Sender{Host: l.Host, Fence: rapid.SampledFrom([]int64{0, l.Fence}).Draw(rt, "fence")}
	}
	from := scheduler.Sender{Host: rapid.SampledFrom(hosts).Draw(rt, "host")}
	if rarely(rt, "with a fence") {
		from.Fence = rapid.Int64Range(1, w.state.Session.Fences+1).Draw(rt, "fence")
	}
	return from
}

// judged: exactly the attached host gets through while there is one, and
// whoever names a fence must be it.
func (w *world) judged(from scheduler.Sender, err error) {
	w.Helper()
	l := w.state.Session.Lease
	wanted := l == nil && from.Fence == 0 || l != nil && from.Host == l.Host && (from.Fence == 0 || from.Fence == l.Fence)
	require.Equal(w, !wanted, errors.Is(err, scheduler.ErrHostFenced), "%+v, attached is %+v", from, l)
}

// granted: a call that was granted once is never granted to another host, nor
// under another fence.
func (w *world) granted(position int, host string) {
	w.Helper()
	key := [2]uint64{w.state.Batch.Number, uint64(position)}
	holder := scheduler.Sender{Host: host, Fence: w.state.Session.Fences}
	if before, again := w.holders[key]; again {
		require.Equal(w, before, holder, "call %d was granted twice", position)
	}
	w.holders[key] = holder
}

func (w *world) refusesStrangers(rt *rapid.T) {
	l := w.state.Session.Lease
	for _, from := range []scheduler.Sender{{Host: "stranger"}, {Host: l.Host, Fence: l.Fence + 1}} {
		_, fx, err := scheduler.Submit(w.env, w.state, scheduler.Submission{
			HostID: from.Host, Fence: from.Fence, Calls: []scheduler.Input{read("a")},
		})
		require.ErrorIs(rt, err, scheduler.ErrHostFenced)
		require.False(rt, fx.Changed())
	}
}

func (w *world) randomAttach(rt *rapid.T) {
	w.once(rt, func() { w.attach(rapid.SampledFrom([]string{"h1", "h2"}).Draw(rt, "host")) })
}

func (w *world) randomDetach(rt *rapid.T) {
	w.once(rt, func() {
		from := w.randomSender(rt, "h1", "h2")
		attached := w.state.Session.Lease
		err := w.tryDetach(from)
		require.Equal(rt, attached == nil || from.Host != attached.Host || from.Fence != 0 && from.Fence != attached.Fence, err != nil)
	})
}

func (w *world) randomRenewal(*rapid.T) {
	if w.state.Session.Lease != nil {
		w.renew()
	}
}

func (w *world) randomProgress(rt *rapid.T) {
	p := scheduler.Progress{
		Position: w.position(rt),
		Text:     rapid.SampledFrom([]string{"", "halfway"}).Draw(rt, "text"),
		Extend:   rapid.SampledFrom([]time.Duration{0, time.Minute, 48 * time.Hour}).Draw(rt, "extend"),
	}
	from := w.runner(p.Position)
	if rarely(rt, "not the holder") {
		from = w.randomSender(rt, "h1", "h2", "")
	}
	was := *w.call(p.Position)
	if err := w.tryProgress(from, p); err != nil {
		require.False(rt, w.fx.Changed())
		return
	}
	is := w.call(p.Position)
	require.Equal(rt, scheduler.StateClaimed, was.State, "only who holds a call speaks about it")
	require.Equal(rt, was.Host, from.Host)
	require.False(rt, is.Deadline.Before(was.Deadline), "time is never taken away")
	require.False(rt, is.Deadline.After(latest(was.Deadline, was.Started.Add(scheduler.MaxRunTime))))
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
