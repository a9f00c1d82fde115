package acp

import (
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// cancelPatience is how long the end of a turn may take to be heard of that was
// cancelled: a reconnect with room to spare.
const cancelPatience = time.Minute

// await waits for the end of a turn. When the client cancels, or no host is left
// for a while, the turn is cancelled; its end is then heard of like any other.
func (s *session) await(ctx context.Context, tid string) (sdk.StopReason, error) {
	w := &wait{session: s, tid: tid, cancelled: ctx.Done(), timer: time.NewTimer(s.HostWait)}
	w.timer.Stop()
	defer w.timer.Stop()
	for {
		hosted, ending, changed := s.state()
		if ending != nil && ending.TurnID == tid {
			return w.reason(ending.Reason)
		}
		w.mind(hosted)
		if err := w.next(ctx, changed); err != nil {
			return "", refusal("prompt", err)
		}
	}
}

// wait is the waiting for one turn's end.
type wait struct {
	*session
	tid       string
	cancelled <-chan struct{} // nil once it was acted on
	timer     *time.Timer     // runs while there is no host, and when the turn was given up
	alone     bool            // there is no host
	cause     error           // why the turn was given up
}

// Why a turn was given up, or its end is waited for no longer.
var (
	errCancelled = errors.New("the client cancelled")
	errUnheard   = errors.New("the turn was cancelled, and its end was not heard of")
)

// mind lets time run while there is no host.
func (w *wait) mind(hosted bool) {
	if w.cause != nil || w.alone != hosted {
		return
	}
	w.alone = !hosted
	if w.alone {
		w.timer.Reset(w.HostWait)
	} else {
		w.timer.Stop()
	}
}

// next waits for something to happen.
func (w *wait) next(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-changed:
		return nil
	case <-w.done:
		return w.err
	case <-w.cancelled:
		if isClosed(w.conn.Done()) {
			return ctx.Err() // nobody is left to answer; the turn goes on
		}
		return w.giveUp(ctx, errCancelled)
	case <-w.timer.C:
		if w.cause != nil {
			return errUnheard
		}
		return w.giveUp(ctx, errNoHost)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// giveUp cancels the turn.
func (w *wait) giveUp(ctx context.Context, why error) error {
	w.cancelled, w.cause = nil, why
	w.timer.Reset(cancelPatience)
	return w.cancelTurn(context.WithoutCancel(ctx), w.tid)
}

// answers are the ends of turns that the protocol has stop reasons for.
var answers = map[client.TurnStopReason]sdk.StopReason{
	client.TurnStopReasonEndTurn:         sdk.StopReasonEndTurn,
	client.TurnStopReasonMaxTokens:       sdk.StopReasonMaxTokens,
	client.TurnStopReasonMaxTurnRequests: sdk.StopReasonMaxTurnRequests,
	client.TurnStopReasonRefusal:         sdk.StopReasonRefusal,
	client.TurnStopReasonCancelled:       sdk.StopReasonCancelled,
}

// reason answers the prompt. Whatever a turn ends with that the client cancelled,
// and that is no regular end, is cancelled to it.
func (w *wait) reason(r client.TurnStopReason) (sdk.StopReason, error) {
	answer, ok := answers[r]
	switch {
	case r == client.TurnStopReasonCancelled && errors.Is(w.cause, errNoHost):
		return "", refusal("prompt", fmt.Errorf("%w any more; the turn was cancelled", errNoHost))
	case ok:
		return answer, nil
	case errors.Is(w.cause, errCancelled):
		return sdk.StopReasonCancelled, nil
	default:
		return "", refusal("prompt", fmt.Errorf("the turn ended with %s", r))
	}
}
