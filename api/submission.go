package api

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// submission reads the calls out of a body, whichever of its two forms it has.
func (s *server) submission(ctx context.Context, sid string, body *contract.BatchSubmission) (sessions.Submission, error) {
	format := valueOr(body.Format, providers.Native)
	in := sessions.Submission{
		TurnID: body.TurnId, HostID: body.HostId, Fence: body.Fence, ResponseID: unlessEmpty(body.ResponseId),
		Format: string(format), RuntimeView: string(body.RuntimeView),
	}
	if err := checkForm(body, format); err != nil {
		return in, err
	}
	if format == providers.Native {
		in.Calls = providers.ParseNative(*body.Calls, s.newCallID)
		return in, checkCalls(in.Calls, "calls")
	}
	in, err := s.readMessage(in, format, body)
	if err != nil {
		return in, err
	}
	return in, s.declaredNames(ctx, sid, format, in.Calls)
}

// unlessEmpty takes an empty id for none: compatible servers send such.
func unlessEmpty(id *string) *string {
	if id != nil && *id == "" {
		return nil
	}
	return id
}

func (s *server) newCallID() string { return s.newID("call") }

// checkForm tells the two forms apart.
func checkForm(body *contract.BatchSubmission, format providers.Format) error {
	switch {
	case body.Message != nil && body.Calls != nil:
		return invalidField("/message", "can't be sent beside calls")
	case format == providers.Native:
		if err := checkNative(body); err != nil {
			return err
		}
	case body.Message == nil:
		return invalidField("/message", "is required with this format")
	}
	return checkBeside(body)
}

// checkNative: a native batch has calls and nothing of a provider's.
func checkNative(body *contract.BatchSubmission) error {
	switch {
	case body.Message != nil:
		return invalidField("/format", "is required with a message, and not native")
	case body.Calls == nil:
		return invalidField("/calls", "is required, or format and message")
	case body.FinishReason != nil || body.FinishReasonBeside != nil:
		return invalidField("/finish_reason", "goes with a message")
	}
	return nil
}

// checkBeside judges what stands beside calls or a message.
func checkBeside(body *contract.BatchSubmission) error {
	switch {
	case body.Fence != nil && body.HostId == nil:
		return invalidField("/fence", "goes with host_id")
	case body.FinishReason != nil && body.FinishReasonBeside != nil:
		return invalidField("/finishReason", "can't be sent beside finish_reason")
	}
	return nil
}

func (s *server) readMessage(in sessions.Submission, format providers.Format, body *contract.BatchSubmission) (sessions.Submission, error) {
	finish := body.FinishReason
	if finish == nil {
		finish = body.FinishReasonBeside
	}
	parsed, err := providers.Parse(format, providers.Envelope{Message: body.Message, FinishReason: finish}, s.newCallID)
	if err != nil {
		return in, unparsed(err)
	}
	in.Message, in.Calls = body.Message, parsed.Calls
	if in.ResponseID == nil && parsed.ResponseID != "" {
		in.ResponseID = &parsed.ResponseID
	}
	return in, checkCalls(in.Calls, "message")
}

// declaredNames gives calls the declared names of their tools, where the
// provider knows them by another spelling. Every such spelling holds an
// underscore, so a message without one needs no look at the tools.
func (s *server) declaredNames(ctx context.Context, sid string, format providers.Format, calls []scheduler.Input) error {
	if !slices.ContainsFunc(calls, func(c scheduler.Input) bool { return strings.Contains(c.Name, "_") }) {
		return nil
	}
	set, _, err := s.service.Tools(ctx, callerOf(ctx), sid)
	if err != nil {
		return err
	}
	names, err := providers.NamesOf(format, declared(set))
	if err != nil {
		return err
	}
	for i := range calls {
		calls[i].Name = names.Canonical(calls[i].Name)
	}
	return nil
}

// unparsed turns a parser's error into a refusal that names the place.
func unparsed(err error) error {
	var invalid *providers.InvalidError
	switch {
	case errors.Is(err, providers.ErrNoToolCalls):
		return refusal(sessions.CodeNoToolCalls, "The message holds no tool calls.")
	case errors.As(err, &invalid):
		return within("message", invalidField(invalid.Field, invalid.Detail))
	}
	return err
}

// checkCalls bounds what only is known once calls are read: their number and
// the size of their arguments in bytes.
func checkCalls(calls []scheduler.Input, part string) error {
	if len(calls) > sessions.MaxCalls {
		return refusal(sessions.CodeTooManyCalls, "A batch has at most "+strconv.Itoa(sessions.MaxCalls)+" calls.")
	}
	for i, c := range calls {
		if len(c.Arguments) > MaxArgumentBytes {
			return &sessions.Problem{
				Code:   sessions.CodeTooLarge,
				Detail: "The arguments of the call at position " + strconv.Itoa(i) + " in " + part + " are over 1 MiB.",
			}
		}
	}
	return nil
}
