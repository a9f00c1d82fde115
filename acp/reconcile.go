package acp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// Mark is a turn or a batch in the order of time.
type Mark struct {
	ID string
	At time.Time
}

// Missed says whether something that began at a time is beyond the mark or is
// what the mark stands for.
func (k Mark) Missed(id string, at time.Time) bool { return id == k.ID || at.After(k.At) }

// Heard are the newest turn and batch that were heard of. What is missed after a
// reset are they themselves and all that is newer.
func (m *Mapping) Heard() (turn, batch Mark) {
	turn, batch = Mark{m.turn.id, m.turn.at}, Mark{m.batch.id, m.batch.at}
	if turn.ID == "" {
		turn.At = m.floor
	}
	if batch.ID == "" {
		batch.At = m.floor
	}
	return turn, batch
}

// State is where a session stands. The session is read first and the batches
// last, so that none of them knows less than the one before.
type State struct {
	Session   client.SessionDocument
	Approvals []client.Approval // that are pending
	Turns     []client.Turn     // those that [Mapping.Heard] misses and the open one, whole, oldest first
	Batches   []client.Batch    // the same
}

// Reconcile takes the state in place of the events up to the session's last one,
// and says what a client that was told the events before has not been told. What
// the other documents say beyond that event is not said again when its turn comes.
func (m *Mapping) Reconcile(s State) ([]Update, error) {
	seq, err := seqOf(s.Session.LastEventID)
	if err != nil {
		return nil, err
	}
	m.seq = seq
	m.SetTools(s.Session)
	updates := m.loseUnless(s)
	batches := s.Batches
	updates = append(updates, m.catchUp(before(&batches, s.Turns))...)
	for i, t := range s.Turns {
		updates = append(updates, m.beginTurn(t)...)
		updates = append(updates, m.catchUp(before(&batches, s.Turns[i+1:]))...)
		updates = append(updates, m.catchUpTurn(t)...)
	}
	return append(updates, m.catchUpState(s)...), nil
}

// seqOf is the place of an event in the log, by its id.
func seqOf(id string) (int, error) {
	digits, _, _ := strings.Cut(id, "-")
	seq, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("event id %q: %w", id, err)
	}
	return seq, nil
}

// before takes from the front of a list what began before the next turn; all of
// it, if there is none.
func before(batches *[]client.Batch, next []client.Turn) []client.Batch {
	n := -1
	if len(next) > 0 {
		n = slices.IndexFunc(*batches, func(b client.Batch) bool { return !b.CreatedAt.Before(next[0].StartedAt) })
	}
	if n < 0 {
		n = len(*batches)
	}
	taken := (*batches)[:n]
	*batches = (*batches)[n:]
	return taken
}

// loseUnless ends what was told and is not in the state: a failover lost it.
func (m *Mapping) loseUnless(s State) []Update {
	var updates []Update
	if !slices.ContainsFunc(s.Batches, func(b client.Batch) bool { return b.ID == m.batch.id }) {
		updates = m.loseCalls()
	}
	known := slices.ContainsFunc(s.Turns, func(t client.Turn) bool { return t.ID == m.turn.id })
	if m.turn.id != "" && !m.turn.ended && !known {
		updates = append(updates, m.endTurn(nil)...)
	}
	return updates
}

// catchUp shows batches with the results that they have.
func (m *Mapping) catchUp(batches []client.Batch) []Update {
	var updates []Update
	for _, b := range batches {
		updates = append(updates, m.onBatch(b)...)
		for _, c := range b.Calls {
			switch {
			case c.Result != nil:
				updates = append(updates, m.onResult(*c.Result)...)
			case c.State == client.CallStateClaimed:
				updates = append(updates, m.onClaim(client.Claimed{Position: c.Position})...)
			}
		}
	}
	return updates
}

// catchUpTurn ends a turn that is over. Of one that is open the text is left
// until its end: how much of it the events to come will tell can't be known.
func (m *Mapping) catchUpTurn(t client.Turn) []Update {
	switch {
	case t.ID != m.turn.id || m.turn.ended:
		return nil
	case t.Status == client.TurnStatusCompleted:
		m.turn.owed = false
		return m.finish(t)
	default:
		m.turn.gap = true
		return nil
	}
}

// catchUpState shows mode, plan, questions and whether there is a host.
func (m *Mapping) catchUpState(s State) []Update {
	updates := m.showMode(s.Session.ApprovalMode)
	updates = append(updates, m.onPlan(s.Session.Plan)...)
	pending := func(id string) bool {
		return slices.ContainsFunc(s.Approvals, func(a client.Approval) bool { return a.ID == id })
	}
	updates = append(updates, m.withdraw(func(a string, _ sdk.ToolCallId) bool { return !pending(a) })...)
	for _, a := range s.Approvals {
		updates = append(updates, m.onQuestion(a)...)
	}
	return append(updates, HostChange{Attached: len(s.Session.Hosts) > 0})
}
