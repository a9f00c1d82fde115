package casetest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// reminderOf stands in an expected output for the session's reminder.
const reminderOf = `"@reminder"`

// compare holds the batch against what the case expects.
func (p *play) compare() []error {
	want := p.step.Expect
	errs := p.compareResults()
	if want.Dispatched != nil {
		errs = appendUnless(errs, "dispatched", *want.Dispatched, p.idsOf("call.dispatched"))
	}
	if want.Approvals != nil {
		errs = appendUnless(errs, "approvals", *want.Approvals, p.idsOf("approval.requested"))
	}
	return append(errs, p.compareStop()...)
}

func appendUnless(errs []error, what string, want, got any) []error {
	if reflect.DeepEqual(want, got) {
		return errs
	}
	return append(errs, fmt.Errorf("%s: got %v, want %v", what, got, want))
}

// idsOf are the call ids in this batch's events of a type, in order.
func (p *play) idsOf(eventType string) []string {
	ids := []string{}
	for _, e := range p.events {
		var of struct {
			CallID string `json:"call_id"`
		}
		if e.Type == eventType && json.Unmarshal(e.Data, &of) == nil {
			ids = append(ids, of.CallID)
		}
	}
	return ids
}

func (p *play) compareResults() []error {
	want := p.step.Expect.Results
	if len(want) != 0 && len(want) != len(p.batch.Calls) {
		return []error{fmt.Errorf("the batch has %d calls, the case expects %d", len(p.batch.Calls), len(want))}
	}
	var errs []error
	for i, expected := range want {
		for key, value := range expected {
			if err := p.compareMember(p.batch.Calls[i].Result, key, value); err != nil {
				errs = append(errs, fmt.Errorf("result %d: %w", i, err))
			}
		}
	}
	return append(errs, p.compareOutputs()...)
}

// compareMember compares one member of a result.
func (p *play) compareMember(r *Result, key string, want json.RawMessage) error {
	if r == nil {
		return fmt.Errorf("%s: there is no result", key)
	}
	if key == "output" && string(want) == reminderOf {
		if p.reminder == "" || r.Output != p.reminder {
			return fmt.Errorf("output: is not the reminder: %q", r.Output)
		}
		return nil
	}
	got := member(r.Raw, key)
	if key == "error_type" {
		got = member(member(r.Raw, "error"), "type")
	}
	if !sameJSON(want, got) {
		return fmt.Errorf("%s: got %s, want %s (in %s)", key, got, want, r.Raw)
	}
	return nil
}

func (p *play) compareOutputs() []error {
	var errs []error
	for id, text := range p.step.Expect.OutputContains {
		found := false
		for _, c := range p.batch.Calls {
			found = found || c.ID == id && c.Result != nil && strings.Contains(c.Result.Output, text)
		}
		if !found {
			errs = append(errs, fmt.Errorf("no output of %s contains %q", id, text))
		}
	}
	return errs
}

func (p *play) compareStop() []error {
	want := p.step.Expect
	got := json.RawMessage("null")
	var code *int
	if p.batch.Stop != nil {
		got, _ = json.Marshal(p.batch.Stop.Reason) // a string always marshals
		code = p.batch.Stop.ExitCode
	}
	var errs []error
	if want.Stop != nil && !sameJSON(want.Stop, got) {
		errs = append(errs, fmt.Errorf("stop: got %s, want %s", got, want.Stop))
	}
	if want.ExitCode != nil {
		errs = appendUnless(errs, "exit code", want.ExitCode, code)
	}
	return errs
}

// compareSession looks at the session when the batch has ended.
func (p *play) compareSession(ctx context.Context) error {
	s, err := p.Host.Session(ctx, p.session.ID)
	if err != nil {
		return err
	}
	want := p.step.Expect.Session
	if want.ApprovalMode != nil {
		p.findings = appendUnless(p.findings, "approval_mode", *want.ApprovalMode, s.ApprovalMode)
	}
	if want.PlanActive != nil {
		p.findings = appendUnless(p.findings, "plan.active", *want.PlanActive, s.Plan.Active)
	}
	return nil
}

// member is a member of a JSON object; null where there is none.
func member(object json.RawMessage, key string) json.RawMessage {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(object, &members) != nil || members[key] == nil {
		return json.RawMessage("null")
	}
	return members[key]
}

// sameJSON compares values, not their spelling.
func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
