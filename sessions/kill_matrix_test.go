package sessions_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// TestWhateverAHostDiesAtNoCallRunsTwiceAndEachHasOneResult is the kill matrix:
// where the first host dies, by how the gateway learns of it.
func TestWhateverAHostDiesAtNoCallRunsTwiceAndEachHasOneResult(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	losses := map[string]func(*host) *host{
		"its lease runs out": func(h *host) *host { h.diesLongAgo(); return h.attach(h.other, "next") },
		"a sweeper finds it out": func(h *host) *host {
			h.diesLongAgo()
			h.comesDue()
			h.isFoundLost()
			return h.attach(h.other, "next")
		},
		"it is replaced":      func(h *host) *host { return h.attach(h.other, "next") },
		"it is started anew":  func(h *host) *host { return h.attach(h.other, h.from.Host) },
		"it leaves by itself": func(h *host) *host { require.NoError(t, h.leaves()); return h.attach(h.other, "next") },
	}
	points := map[string]struct {
		until func(*host, sessions.Batch)
		want  scheduler.Reason // of the call that the first host was at
	}{
		"before its claim":           {func(*host, sessions.Batch) {}, ""},
		"after its claim":            {func(h *host, b sessions.Batch) { granted, _ := h.takes(b, 0); require.True(t, granted) }, scheduler.ReasonHostLost},
		"after executing the call":   {func(h *host, b sessions.Batch) { require.True(t, h.runs(b, 0)) }, scheduler.ReasonHostLost},
		"after reporting the result": {func(h *host, b sessions.Batch) { h.runs(b, 0); require.NoError(t, h.reports(b, 0)) }, ""},
	}
	for how, lose := range losses {
		for where, point := range points {
			s.begin()
			first := s.attach(s.actor, "first")
			b := s.send(s.sid, call("1", "read_file", `{}`), call("2", "read_file", `{"file_path": "b"}`))
			point.until(first, b)
			next := lose(first)
			require.Equal(t, []string{next.from.Host}, s.session(s.sid).Hosts)

			for position := range b.Calls { // the dead host wakes up, and both work
				first.runs(b, position)
				refused(t, first.reports(b, position), sessions.CodeHostFenced)
				if next.runs(b, position) {
					require.NoError(t, next.reports(b, position))
				}
			}
			now := s.ended(b)
			require.Equal(t, point.want, reason(t, now, 0), "%s, %s", where, how)
			require.Empty(t, reason(t, now, 1), "what was only offered is the next host's")
			if point.want != "" {
				require.Equal(t, scheduler.ExecutionUnknown, now.Calls[0].Result.ExecutionStatus)
				require.NotNil(t, now.Calls[0].Result.StartedAt)
			}
			s.verifyOnce(now)
		}
	}
}

// TestTwoHostsAtOnceShareNoCall: hosts take the session from each other through
// both replicas while each claims and reports whatever it can.
func TestTwoHostsAtOnceShareNoCall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	calls := make([]scheduler.Input, 8)
	for i := range calls {
		calls[i] = call(fmt.Sprintf("toolu_%d_x", i), "read_file", fmt.Sprintf(`{"file_path": "%d"}`, i))
	}
	b := s.send(s.sid, calls...)
	var g sync.WaitGroup
	for i, via := range []*actor{s.actor, s.other, s.actor, s.other} {
		g.Go(func() {
			for range 3 {
				h := s.attach(via, fmt.Sprintf("h%d", i))
				for position := range calls {
					if h.runs(b, position) {
						_ = h.reports(b, position) // fenced, if another attached meanwhile
					}
				}
			}
		})
	}
	g.Wait()
	last := s.attach(s.actor, "last")
	for position := range calls {
		if last.runs(b, position) {
			require.NoError(t, last.reports(b, position))
		}
	}
	s.verifyOnce(s.ended(b))
}
