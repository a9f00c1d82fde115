package acp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// ask puts a question to the client, and returns when it is on its way.
func (s *session) ask(q Ask) {
	ctx, cancel := context.WithCancel(s.life)
	s.mu.Lock()
	s.pending[q.ApprovalID] = cancel
	s.mu.Unlock()
	s.out.request(func() <-chan struct{} {
		ended := make(chan struct{})
		s.group.Go(func() error {
			defer close(ended)
			defer s.withdraw(q.ApprovalID)
			s.question(ctx, q)
			return nil
		})
		return ended
	})
}

// withdraw takes a question back: if it has no answer, the client is told with
// $/cancel_request.
func (s *session) withdraw(approvalID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.pending[approvalID]; ok {
		delete(s.pending, approvalID)
		cancel()
	}
}

// question asks, waits for the answer and passes it on. An outcome that is
// cancelled is no answer: somebody else may still give one.
func (s *session) question(ctx context.Context, q Ask) {
	log := s.Log.With(slog.String("session_id", s.id), slog.String("approval_id", q.ApprovalID))
	answer, err := s.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: sdk.SessionId(s.id), ToolCall: q.ToolCall, Options: q.Options,
	})
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		log.Warn("the client can't ask; the question waits for another person", slog.Any("error", err))
		return
	case answer.Outcome.Selected == nil:
		log.Info("the client gave no answer; the question waits for another person")
		return
	}
	if err := s.answer(q, string(answer.Outcome.Selected.OptionId)); err != nil {
		log.Warn("the answer was not taken", slog.Any("error", err))
	}
}

// answer gives the person's answer. The first one wins; who comes second is told.
// It outlives the withdrawal that it brings about itself.
func (s *session) answer(q Ask, option string) error {
	r := client.ApprovalResponse{OptionID: client.ApprovalResponseOptionID(option)}
	if q.PlanSHA256 != "" {
		r.PlanSha256 = &q.PlanSHA256
	}
	_, err := s.Client.Respond(s.life, q.ApprovalID, r)
	if p, ok := errors.AsType[*client.ProblemError](err); ok && s.life.Err() == nil {
		return errors.Join(err, s.tell(sdk.UpdateAgentThoughtText(tooLate(p.Problem))))
	}
	return err
}

// tooLate says why an answer did not count.
func tooLate(p client.Problem) string {
	if p.ResolvedBy != nil && p.ApprovalStatus != nil {
		return fmt.Sprintf("Your answer did not count: %s had answered before (%s).\n", *p.ResolvedBy, *p.ApprovalStatus)
	}
	return fmt.Sprintf("Your answer did not count: %s\n", p.Detail)
}
