package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// prompt serves one prompt at a time. A second one ends the first: the library
// cancels it, and the second begins when it has ended.
func (s *session) prompt(ctx context.Context, blocks []sdk.ContentBlock) (sdk.StopReason, error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-s.done:
		return "", refusal("prompt", s.err)
	}
	if err := s.awaitHost(ctx); err != nil {
		return stopped(ctx, err)
	}
	tid, err := s.start(ctx, blocks)
	if err != nil {
		return stopped(ctx, err)
	}
	defer s.disown()
	return s.await(ctx, tid)
}

// stopped is the answer to a prompt that has no turn.
func stopped(ctx context.Context, err error) (sdk.StopReason, error) {
	if isClosed(ctx.Done()) {
		return sdk.StopReasonCancelled, nil
	}
	return "", refusal("prompt", err)
}

// errNoHost says that nobody would do what a person asks for.
var errNoHost = errors.New("no host serves the session")

// awaitHost waits a while for somebody to serve the session.
func (s *session) awaitHost(ctx context.Context) error {
	patience := time.NewTimer(s.HostWait)
	defer patience.Stop()
	for {
		hosted, _, changed := s.state()
		if hosted {
			return nil
		}
		select {
		case <-changed:
		case <-patience.C:
			return fmt.Errorf("%w: start one with `gateway host --session %s`", errNoHost, s.id)
		case <-s.done:
			return s.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// state is what was heard, and what tells of the next change.
func (s *session) state() (hosted bool, ending *TurnEnd, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hosted, s.ending, s.heard.c
}

// start begins a turn. It is not interrupted by a cancellation, since a turn that
// nobody knows of could not be cancelled.
func (s *session) start(ctx context.Context, blocks []sdk.ContentBlock) (string, error) {
	input, err := json.Marshal(blocks)
	if err != nil {
		return "", fmt.Errorf("encode the prompt: %w", err)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	turn, err := s.Client.StartTurn(context.WithoutCancel(ctx), s.id, client.TurnStart{Input: input})
	if err != nil {
		return "", fmt.Errorf("start a turn: %w", err)
	}
	s.own = turn.ID
	return turn.ID, nil
}

func (s *session) disown() {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.own = ""
}

// cancel ends the open turn, this client's or another's.
func (s *session) cancel(ctx context.Context) error {
	s.starting.Lock()
	tid := s.own
	s.starting.Unlock()
	if tid == "" {
		doc, err := s.Client.Session(ctx, s.id)
		if err != nil || doc.OpenTurnID == nil {
			return err
		}
		tid = *doc.OpenTurnID
	}
	return s.cancelTurn(ctx, tid)
}

// cancelTurn cancels a turn; one that has ended meanwhile is fine.
func (s *session) cancelTurn(ctx context.Context, tid string) error {
	_, err := s.Client.CancelTurn(ctx, s.id, tid)
	if client.Is(err, client.CodeTurnEnded) || client.Is(err, client.CodeSessionClosed) {
		return nil
	}
	return err
}
