package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
)

// maxRequests is how often the model is asked in a turn. The gateway counts
// calls; this bounds what a model costs that calls one at a time.
const maxRequests = 200

// turn is one open turn at work.
type turn struct {
	*Host
	id    string
	life  context.Context //nolint:containedctx // the host's: what a turn's end must not cut off
	batch string          // the batch whose results the conversation lacks
}

// serve does a turn's work and sees to it that the conversation can go on after
// it, however it ended. Only what a retry doesn't mend is an error: a model that
// fails ends its turn, not the host.
func (t *turn) serve(ctx context.Context, work func(*turn, context.Context) error) error {
	t.Log.Info("a turn begins", slog.String("turn_id", t.id))
	err := work(t, ctx)
	if failure, ok := errors.AsType[*failedError](err); ok && ctx.Err() == nil {
		err = t.fail(ctx, failure)
	}
	if ctx.Err() != nil {
		err = nil // it was ended from outside, or its end was heard of before it was answered
	}
	return errors.Join(t.ended(err), t.settle())
}

// ended drops the error of a turn that somebody else ended first. A turn that
// another host has taken over ends this one.
func (t *turn) ended(err error) error {
	if client.Is(err, client.CodeHostFenced) {
		return ErrReplaced
	}
	for _, code := range []client.Code{client.CodeTurnEnded, client.CodeTurnMismatch, client.CodeSessionClosed, client.CodeNotFound} {
		if client.Is(err, code) {
			return nil
		}
	}
	return err
}

// run answers the prompt: it asks the model and lets its calls be run until
// there are none.
func (t *turn) run(ctx context.Context) error {
	prompt, err := t.Client.Turn(ctx, t.Session, t.id)
	if err != nil {
		return fmt.Errorf("read the turn: %w", err)
	}
	if prompt.Status != client.TurnStatusOpen {
		return nil
	}
	if err := t.Chat.Say(text(prompt)); err != nil {
		return &failedError{err}
	}
	for range maxRequests {
		reason, err := t.step(ctx)
		if err != nil {
			return err
		}
		if reason != "" {
			return t.complete(ctx, reason)
		}
	}
	return t.complete(ctx, client.TurnCompletionStopReasonMaxTurnRequests)
}

// step is one answer of the model with all that it leads to. It gives a reason
// when the turn has come to its end.
func (t *turn) step(ctx context.Context) (client.TurnCompletionStopReason, error) {
	answer, err := t.ask(ctx)
	if err != nil {
		return "", err
	}
	if err := t.say(ctx, answer.Text); err != nil {
		return "", err
	}
	switch {
	case answer.Calls:
		return t.call(ctx, answer)
	case answer.Cut:
		return client.TurnCompletionStopReasonMaxTokens, nil
	default:
		return client.TurnCompletionStopReasonEndTurn, nil
	}
}

// ask asks the model, with the tools that the session has now.
func (t *turn) ask(ctx context.Context) (model.Answer, error) {
	if t.offered != t.registry.Load() || t.offered == 0 {
		tools, err := t.Client.Tools(ctx, t.Session, t.Chat.Format())
		if err != nil {
			return model.Answer{}, fmt.Errorf("read the tools: %w", err)
		}
		t.Chat.Offer(tools.Tools)
		t.offered = int64(tools.Revision)
	}
	answer, err := t.Chat.Ask(ctx)
	if err != nil {
		return answer, &failedError{err}
	}
	return answer, nil
}

// call lets the gateway have an answer's calls, waits for their results, and
// tells the model. The turn's end cuts the waiting off and nothing else: the
// conversation has to hold the calls that the gateway took, with their results.
func (t *turn) call(ctx context.Context, a model.Answer) (client.TurnCompletionStopReason, error) {
	batch, err := t.Client.Submit(t.life, t.Session, t.submission(a)) //nolint:contextcheck // see above
	if err != nil {
		t.Chat.Retract() // nobody took its calls, so nothing can follow them
		return "", rejected(fmt.Errorf("submit the calls: %w", err))
	}
	t.batch = batch.ID
	if batch, err = t.Client.Await(ctx, t.Session, batch.ID); err != nil {
		return "", fmt.Errorf("wait for the batch: %w", err)
	}
	if err := t.follow(); err != nil {
		return "", err
	}
	return stops(batch), nil
}

// submission is an answer as the gateway takes it.
func (t *turn) submission(a model.Answer) client.BatchSubmission {
	s := client.BatchSubmission{TurnID: &t.id, Format: new(t.Chat.Format()), Message: a.Message, FinishReason: a.FinishReason}
	if a.ResponseID != "" {
		s.ResponseID = &a.ResponseID
	}
	return s
}

// rejected makes the failure of a turn of a refusal of its calls.
func rejected(err error) error {
	for _, code := range []client.Code{client.CodeNoToolCalls, client.CodeTooManyCalls, client.CodeTooLarge, client.CodeInvalidRequest} {
		if client.Is(err, code) {
			return &failedError{err}
		}
	}
	return err
}

// follow puts a batch's results into the conversation and lets the gateway
// check what the model will be sent.
func (t *turn) follow() error {
	next, err := t.Client.NextRequest(t.life, t.Session, t.batch, t.Chat.Format())
	if err != nil {
		return fmt.Errorf("read the next request: %w", err)
	}
	before := len(t.Chat.Messages())
	if err := t.Chat.Follow(next); err != nil {
		return &failedError{err}
	}
	bid := t.batch
	t.batch = ""
	part, err := json.Marshal(t.Chat.Messages()[before:])
	if err != nil {
		return fmt.Errorf("encode the follow-up: %w", err)
	}
	check, err := t.Client.CheckModelRequest(t.life, t.Session, client.ModelRequest{Format: t.Chat.Format(), BatchID: bid, Messages: part})
	if err != nil {
		return fmt.Errorf("check the next request: %w", err)
	}
	if check.Verdict == client.Violations {
		return &failedError{fmt.Errorf("%w: %v", errNotConforming, check.Violations)}
	}
	return nil
}

// settle puts the results of a batch that ended with its turn into the
// conversation, which could not go on without them.
func (t *turn) settle() error {
	if t.batch == "" {
		return nil
	}
	err := t.follow()
	if t.life.Err() != nil {
		err = nil // nobody will go on with it
	}
	return t.ended(err)
}

// stops says whether a batch ended its turn, and with what.
func stops(b client.Batch) client.TurnCompletionStopReason {
	if b.Stop == nil {
		return ""
	}
	switch b.Stop.Reason {
	case client.BatchStopReasonLoopDetected, client.BatchStopReasonMaxToolCalls:
		return client.TurnCompletionStopReasonMaxTurnRequests
	case client.BatchStopReasonAborted, client.BatchStopReasonSessionClosed:
		return client.TurnCompletionStopReasonCancelled
	default:
		return client.TurnCompletionStopReasonEndTurn
	}
}
