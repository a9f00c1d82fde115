package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// ways are all ways in which a host is lost while its session goes on.
var ways = map[string]struct {
	lose   func(*world, scheduler.Sender)
	reason scheduler.Loss
}{
	"it is not heard of":   {func(w *world, _ scheduler.Sender) { w.pass(leaseTTL) }, scheduler.LossExpired},
	"it leaves":            {func(w *world, h scheduler.Sender) { require.NoError(w, w.tryDetach(h)) }, scheduler.LossDetached},
	"another one attaches": {func(w *world, _ scheduler.Sender) { w.attach("other") }, scheduler.LossReplaced},
	"it is started anew":   {func(w *world, h scheduler.Sender) { w.attach(h.Host) }, scheduler.LossReplaced},
	"its lease can't be read": {func(w *world, _ scheduler.Sender) {
		lease := *w.state.Session.Lease
		lease.Expires = time.Time{}
		w.state.Session.Lease = &lease
		w.pass(0)
	}, scheduler.LossExpired},
}

func TestWhatALostHostHeldIsNotRunAgainAndWhatItWasOfferedGoesToTheNext(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, allowAll)
			first := w.attach("h")
			w.submit(read("a"), read("b"), write("c"))
			_, err := w.tryClaim(first, 0)
			require.NoError(t, err)
			offered := w.call(1).Deadline

			way.lose(w, first)
			require.Equal(t, []string{"host_lost", "dispatched", "queued"}, w.outcomes())
			require.Equal(t, &scheduler.HostLoss{Host: "h", Fence: 1, Reason: way.reason}, w.fx.Lost)
			require.Equal(t, []scheduler.Cancellation{{Position: 0, Reason: "host_lost"}}, w.fx.Cancelled)
			require.Equal(t, offered, w.call(1).Deadline, "its time goes on")
			require.Empty(t, w.fx.Dispatched, "it is offered still, not again")
			require.Equal(t, scheduler.ErrHostFenced, w.tryReportFrom(first, done(0, "too late")))

			next := w.attach("next")
			claims, err := w.tryClaim(next, 0, 1)
			require.NoError(t, err)
			require.Equal(t, []scheduler.Claim{{Position: 0, HeldBy: "h"}, {Position: 1, Granted: true}}, claims)
			require.NoError(t, w.tryReportFrom(next, done(1, "")))
			w.finishAll()
			require.Equal(t, []string{"host_lost", "ok", "ok"}, w.outcomes())
		})
	}
}

func TestABatchOfALostSenderIsOfferedToAnyHost(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, allowAll, ruled(permissions.Rules{Ask: []string{"read_file"}, Allow: []string{"*"}}))
			me := w.attach("me")
			w.hostID, w.fence = me.Host, me.Fence
			w.submit(write("a"), read("b"), write("c"))
			require.Equal(t, []string{"queued", "awaiting_approval", "queued"}, w.outcomes())
			w.answer(1, scheduler.OptionAllowOnce)
			require.Equal(t, "claimed", w.outcomes()[0])
			way.lose(w, me)
			require.Equal(t, []string{"host_lost", "dispatched", "queued"}, w.outcomes(), "nobody runs it unasked")
		})
	}
}

func TestAQuestionOutlivesItsHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := w.attach("me")
	w.hostID = me.Host
	w.submit(write("a"))
	w.pass(leaseTTL)
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
	w.answer(0, scheduler.OptionAllowOnce)
	require.Equal(t, []string{"dispatched"}, w.outcomes(), "whoever attaches next may take it")
}

func TestAnAttachmentTakesOverFromThoseWhoNeverAttached(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(read("a"), read("b"))
	w.claim("loose", 0)
	w.attach("h")
	require.Nil(t, w.fx.Lost, "nobody was attached")
	require.True(t, w.fx.Attached)
	require.Equal(t, []string{"host_lost", "dispatched"}, w.outcomes())
	require.ErrorIs(t, w.tryReport("loose", done(1, "")), scheduler.ErrHostFenced)
}

func TestARenewedLeaseLastsLonger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.attach("h")
	w.pass(leaseTTL - time.Second)
	w.renew()
	w.pass(leaseTTL - time.Second)
	require.NotNil(t, w.state.Session.Lease)
	w.pass(time.Second)
	require.Nil(t, w.state.Session.Lease, "without a batch, too")
	require.Equal(t, scheduler.LossExpired, w.fx.Lost.Reason)
}

func TestClosingASessionEndsItsLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	h := w.attach("h")
	w.submit(read("a"), read("b"))
	_, err := w.tryClaim(h, 0)
	require.NoError(t, err)
	w.closeSession()
	require.Equal(t, scheduler.LossSessionClosed, w.fx.Lost.Reason)
	require.Equal(t, []string{"session_closed", "session_closed"}, w.outcomes())
}

func TestOnlyTheAttachedHostIsHeard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		from scheduler.Sender
		want error
	}{
		{"with its fence", scheduler.Sender{Host: "h", Fence: 2}, nil},
		{"without a fence", scheduler.Sender{Host: "h"}, nil},
		{"with the fence before", scheduler.Sender{Host: "h", Fence: 1}, scheduler.ErrHostFenced},
		{"with a fence that was never given", scheduler.Sender{Host: "h", Fence: 3}, scheduler.ErrHostFenced},
		{"another host", scheduler.Sender{Host: "other"}, scheduler.ErrHostFenced},
		{"another host with the fence", scheduler.Sender{Host: "other", Fence: 2}, scheduler.ErrHostFenced},
		{"nobody by name", scheduler.Sender{}, scheduler.ErrHostFenced},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for what, send := range map[string]func(*world) error{
				"claim":    func(w *world) error { _, err := w.tryClaim(c.from, 1); return err },
				"result":   func(w *world) error { return w.tryReportFrom(c.from, done(0, "")) },
				"progress": func(w *world) error { return w.tryProgress(c.from, scheduler.Progress{Text: "x"}) },
				"detach":   func(w *world) error { return w.tryDetach(c.from) },
			} {
				w := newWorld(t, allowAll)
				w.attach("h")
				h := w.attach("h")
				w.submit(read("a"), read("b"))
				_, err := w.tryClaim(h, 0)
				require.NoError(t, err)
				require.ErrorIs(t, send(w), c.want, what)
				if c.want != nil {
					require.False(t, w.fx.Changed())
				}
			}
		})
	}
}

func TestWhoLostItsLeaseIsToldAlsoWhenNobodyElseIsAttached(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	h := w.attach("h")
	require.NoError(t, w.tryDetach(h))
	w.submit(read("a"))
	_, err := w.tryClaim(h, 0)
	require.ErrorIs(t, err, scheduler.ErrHostFenced)
	require.ErrorIs(t, w.tryDetach(h), scheduler.ErrHostFenced)
	require.True(t, w.claim("h", 0)[0].Granted, "who names no fence works without a lease")
}
