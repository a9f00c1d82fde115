package scheduler

import (
	"errors"
	"time"
)

// TurnTimeout is how long an open turn may go without any commit of its
// session and without an open batch, which has deadlines of its own. It is
// shorter than the default idle time, so that a host that never came back ends
// its turn and not the session.
const TurnTimeout = 12 * time.Hour

// TurnReason says why a turn ended.
type TurnReason string

// Why turns end. The first six a host may say: the Agent Client Protocol's stop
// reasons, and an error of its own. The last two only the gateway does.
const (
	TurnEndTurn         TurnReason = "end_turn"
	TurnMaxTokens       TurnReason = "max_tokens"
	TurnMaxTurnRequests TurnReason = "max_turn_requests"
	TurnRefusal         TurnReason = "refusal"
	TurnCancelled       TurnReason = "cancelled"
	TurnError           TurnReason = "error"
	TurnTimedOut        TurnReason = "timed_out"
	TurnSessionClosed   TurnReason = "session_closed"
)

// ByHost says whether a host may end a turn with this reason.
func (r TurnReason) ByHost() bool {
	switch r {
	case TurnEndTurn, TurnMaxTokens, TurnMaxTurnRequests, TurnRefusal, TurnCancelled, TurnError:
		return true
	default:
		return false
	}
}

// ErrTurnOpen says that the session's last turn has not ended.
var ErrTurnOpen = errors.New("a turn is in progress")

// OpenTurn is a person's prompt that a host works on. What is said in it is
// kept beside the session; here is only how much it is.
type OpenTurn struct {
	ID        string
	Number    uint64 // 1, 2, 3 … in its session
	By        string
	Started   time.Time
	TextBytes int
}

// TurnEnd is a turn that ended, and why.
type TurnEnd struct {
	OpenTurn
	Reason TurnReason
	At     time.Time
}

// StartTurn opens a turn. What the model is still to be told of is moved into
// it ([Effects.TurnNotices]), and loop detection begins anew.
func StartTurn(env Env, s State, turn OpenTurn) (State, Effects, error) {
	switch {
	case s.Session.Open != nil:
		return s, Effects{}, ErrTurnOpen
	case s.running():
		return s, Effects{}, ErrBatchOpen
	}
	t, out := begin(env, s)
	turn.Started = env.Now
	t.s.Open, t.s.Turn = &turn, Turn{ID: turn.ID}
	t.fx.TurnStarted, t.fx.TurnNotices = true, t.s.Notices
	t.s.Notices = nil
	return *out, t.fx, nil
}

// Say adds to what is said in the open turn.
func Say(env Env, s State, text string) (State, Effects) {
	t, out := begin(env, s)
	if t.s.Open == nil || text == "" {
		return *out, t.fx
	}
	turn := *t.s.Open
	turn.TextBytes += len(text)
	t.s.Open, t.fx.Said = &turn, text
	return *out, t.fx
}

// EndTurn ends the open turn, as its host says. While a batch is open it is
// ErrBatchOpen: the turn's calls would have no turn.
func EndTurn(env Env, s State, reason TurnReason) (State, Effects, error) {
	if s.running() {
		return s, Effects{}, ErrBatchOpen
	}
	t, out := begin(env, s)
	t.endTurn(reason)
	return *out, t.fx, nil
}

// CancelTurn aborts the open batch and ends the open turn, in one step.
func CancelTurn(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.abort()
	t.endTurn(TurnCancelled)
	return *out, t.fx
}

// ExpireTurn ends a turn in which nothing happened for [TurnTimeout].
func ExpireTurn(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.endTurn(TurnTimedOut)
	return *out, t.fx
}

func (t *transition) endTurn(reason TurnReason) {
	if t.s.Open == nil {
		return
	}
	t.fx.TurnEnded = &TurnEnd{OpenTurn: *t.s.Open, Reason: reason, At: t.env.Now}
	t.s.Open, t.s.Turn = nil, Turn{} // what comes without a turn now is not of this one
}

// running says whether the state holds a batch that has not ended.
func (s State) running() bool { return s.Batch != nil && s.Batch.Status == BatchRunning }
