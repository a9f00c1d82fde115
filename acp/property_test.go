package acp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// stage is a gateway, a mapping, and the client behind it.
type stage struct {
	*world
	m      *acp.Mapping
	v      *viewer
	cursor int // events that were delivered
}

// TestWhateverHappensAClientIsToldOnce plays a session, with repeated events and
// with resets at any place, and holds what a client is told to the promises.
func TestWhateverHappensAClientIsToldOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &stage{world: newWorld(), v: newViewer(t)}
		s.m = acp.NewMapping(s.session, acp.FromStart)
		t.Repeat(s.actions())
		s.settleWorld()
		for s.cursor < len(s.log) {
			s.deliver(t)
		}
		s.v.agrees(s.world)
	})
}

func (s *stage) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"act":     s.act,
		"deliver": s.deliver,
		"repeat": func(t *rapid.T) {
			if s.cursor > 0 {
				s.apply(t, s.log[rapid.IntRange(0, s.cursor-1).Draw(t, "which")])
			}
		},
		"reset": s.reset,
	}
}

var texts = rapid.SampledFrom([]string{"a", "b", "ab", "größer", "\n"})

// act lets something happen that may happen now.
func (s *stage) act(t *rapid.T) {
	if s.turn() == nil {
		s.startTurn(texts.Draw(t, "prompt"))
		return
	}
	call := rapid.IntRange(0, 3).Draw(t, "call")
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		s.say(texts.Draw(t, "text"))
	case 1:
		s.startSome(t)
	case 2:
		s.claim(call)
	case 3:
		s.progress(call)
	case 4:
		s.ask(call)
	case 5:
		s.answer(call, rapid.SampledFrom([]client.ApprovalStatus{client.ApprovalStatusApproved, client.ApprovalStatusRejected}).Draw(t, "answer"))
	case 6:
		s.result(call)
	case 7:
		s.endTurn(rapid.SampledFrom([]client.TurnStopReason{client.TurnStopReasonEndTurn, client.TurnStopReasonCancelled}).Draw(t, "reason"))
	case 8:
		s.setMode(rapid.SampledFrom([]client.Mode{"plan", "default", "yolo"}).Draw(t, "mode"))
	case 9:
		s.plan(strings.TrimSpace(texts.Draw(t, "plan")))
	}
}

func (s *stage) startSome(t *rapid.T) {
	if s.batch() != nil {
		return
	}
	n := rapid.IntRange(1, 4).Draw(t, "calls")
	all := []int{0, 1, 2, 3}[:n]
	s.startBatch(n, rapid.Permutation(all).Draw(t, "skipped")[:rapid.IntRange(0, n).Draw(t, "how many")])
}

func (s *stage) deliver(t *rapid.T) {
	if s.cursor == len(s.log) {
		return
	}
	s.apply(t, s.log[s.cursor])
	s.cursor++
}

// apply hands one event to the mapping, and what it then waits for.
func (s *stage) apply(t *rapid.T, e client.Event) {
	updates, err := s.m.Apply(e)
	require.NoError(t, err)
	s.v.see(updates...)
	if tid := s.m.Owed(); tid != "" {
		i := slices.IndexFunc(s.turns, func(t client.Turn) bool { return t.ID == tid })
		s.v.see(s.m.Settle(s.turns[i])...)
	}
}

// reset takes events away and gives the state instead, part of which is read
// later than the rest.
func (s *stage) reset(t *rapid.T) {
	state := acp.State{Session: s.session}
	s.cursor = len(s.log)
	for range rapid.IntRange(0, 4).Draw(t, "meanwhile") {
		s.act(t)
	}
	for _, a := range s.approvals {
		if a.Status == client.ApprovalStatusPending {
			state.Approvals = append(state.Approvals, a)
		}
	}
	turn, batch := s.m.Heard()
	for _, d := range s.turns {
		if turn.Missed(d.ID, d.StartedAt) {
			state.Turns = append(state.Turns, d)
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "later") {
		s.act(t)
	}
	for _, d := range s.batches {
		if batch.Missed(d.ID, d.CreatedAt) {
			d.Calls = slices.Clone(d.Calls)
			state.Batches = append(state.Batches, d)
		}
	}
	updates, err := s.m.Reconcile(state)
	require.NoError(t, err)
	s.v.see(updates...)
}

// settleWorld ends what is open.
func (s *stage) settleWorld() {
	if s.turn() != nil {
		s.endTurn(client.TurnStopReasonEndTurn)
	}
}
