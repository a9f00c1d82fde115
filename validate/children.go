package validate

import (
	"context"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// probeYolo enters unasked where nobody is ever asked. The mode is a child
// session's: the host's own is never set to yolo.
func (r *run) probeYolo(ctx context.Context) ([]Violation, error) {
	if err := r.parentable(); err != nil {
		return nil, err
	}
	spec := client.SessionSpec{ApprovalMode: new(client.ModeYolo)}
	found, err := r.child(ctx, spec, func(s *stage) error {
		b, err := s.play(ctx, r.call(sample{entryTool, []byte(`{}`)}))
		if err != nil {
			return err
		}
		now, err := r.key.Session(ctx, s.sid)
		if err != nil {
			return fmt.Errorf("read the child: %w", err)
		}
		if why := reasonOf(b.Calls[0].Result); why != client.ReasonPlanNotEnteredYolo || now.ApprovalMode != client.ModeYolo {
			s.breach(CodeYoloEntered, b, 0, "it ended as %q, the mode is %s", why, now.ApprovalMode)
		}
		return nil
	})
	if client.Is(err, client.CodeForbidden) {
		return nil, notShown("the key may make no session in yolo: that takes the role frontend")
	}
	return found, err
}

// parentable says why the session can have no child that is in no plan mode.
func (r *run) parentable() error {
	if r.session.Plan.Active || r.session.Plan.Inherited {
		return notShown("the session is in plan mode, and so are its children")
	}
	return nil
}

// probeLimits enters where one character of output is allowed.
func (r *run) probeLimits(ctx context.Context) ([]Violation, error) {
	if err := r.parentable(); err != nil {
		return nil, err
	}
	spec := client.SessionSpec{Sdk: &r.session.Sdk, Limits: &struct {
		BatchOutputChars *int `json:"batch_output_chars,omitempty"`
		ToolOutputChars  *int `json:"tool_output_chars,omitempty"`
	}{new(1), new(1)}}
	return r.child(ctx, spec, func(s *stage) error {
		unknown := sample{"read_output", []byte(`{"ref":"none"}`)}
		b, err := s.play(ctx, r.call(unknown), r.entry(), r.call(unknown))
		if err != nil {
			return err
		}
		s.bounded(b, 1)
		return s.inPlanMode(ctx, b, 1)
	})
}

// answersItself says whether a host's key could answer the question about its
// own plan.
func (s *stage) answersItself(ctx context.Context, b client.Batch, asked string) bool {
	if s.decides { // it is a person's key as well
		return false
	}
	_, err := s.key.Respond(ctx, asked, client.ApprovalResponse{OptionID: client.ApprovalResponseOptionIDRestorePrevious})
	if err == nil {
		s.breach(CodeExitUnapproved, b, 0, "a key without the role frontend answered")
	}
	return err == nil
}

// probeExit leaves plan mode by a plan that is rejected, then by one that is
// approved, by another key than the one that asks.
func (r *run) probeExit(ctx context.Context) ([]Violation, error) {
	if err := r.parentable(); err != nil {
		return nil, err
	}
	if r.approver == nil {
		return nil, notShown("there is no key of an approver")
	}
	return r.child(ctx, client.SessionSpec{Sdk: &r.session.Sdk}, func(s *stage) error {
		b, err := s.play(ctx, r.entry())
		if err != nil {
			return err
		}
		if err := s.inPlanMode(ctx, b, 0); err != nil {
			return err
		}
		if err := s.exit(ctx, client.ApprovalResponseOptionIDReject, client.ReasonApprovalRejected, client.ModePlan); err != nil {
			return err
		}
		return s.exit(ctx, client.ApprovalResponseOptionIDRestorePrevious, "", client.ModeDefault)
	})
}

// exit asks to leave plan mode, answers, and wants the call to end so and the
// mode to be that.
func (s *stage) exit(ctx context.Context, answer client.ApprovalResponseOptionID, reason client.Reason, mode client.Mode) error {
	b, err := s.submit(ctx, s.call(sample{"exit_plan_mode", []byte(`{"plan":"Nothing is to be changed: this is a check."}`)}))
	if err != nil {
		return err
	}
	asked := b.Calls[0].ApprovalID
	if asked == nil {
		s.breach(CodeExitUnapproved, b, 0, "nobody was asked")
		return nil
	}
	if s.answersItself(ctx, b, *asked) {
		return nil
	}
	response := client.ApprovalResponse{OptionID: answer}
	if answer == client.ApprovalResponseOptionIDReject {
		response.Feedback = new("Not yet: this is a check.")
	}
	if _, err := s.approver.Respond(ctx, *asked, response); err != nil {
		return fmt.Errorf("answer as the approver: %w", err)
	}
	if b, err = s.end(ctx, b.ID); err != nil {
		return err
	}
	now, err := s.key.Session(ctx, s.sid)
	if err != nil {
		return fmt.Errorf("read the child: %w", err)
	}
	if why := reasonOf(b.Calls[0].Result); why != reason || now.ApprovalMode != mode {
		s.breach(CodeExitFailed, b, 0, "answered with %s, it ended as %q, the mode is %s", answer, why, now.ApprovalMode)
	}
	return nil
}
