package providers

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/session-gateway/gateway/scheduler"
)

// The rules that an audit adds to those of [Conforms]: what a host sends to its
// model has to be what the ledger holds.
const (
	ViolationAltered  ViolationCode = "result_altered"      // another text than the ledger's
	ViolationReminder ViolationCode = "reminder_incomplete" // the plan reminder is missing or not whole
	ViolationDenial   ViolationCode = "denial_missing"      // a call that was not run looks otherwise, or is not told of
	ViolationNotice   ViolationCode = "notice_missing"      // what the model is to be told once is not there
)

// MaxAudited is how many violations an audit names: a host that breaks more
// rules at once learns nothing from the rest.
const MaxAudited = 64

// Audit compares what a host is about to send to its model with a finished
// batch: every call answered exactly once, where and in the order that the
// provider wants, as [Render] renders it, and nothing else. messages is the
// list that the provider takes (messages, input or contents; for Native the
// results), the whole conversation or its end. None is good. Details hold no
// text of either side. The error is ErrFormat, or that of a result that can't
// be rendered.
func Audit(f Format, u FollowUp, messages json.RawMessage) ([]Violation, error) {
	wanted, notices, err := expected(f, u)
	if err != nil {
		return nil, err
	}
	list, isList := listIn(messages)
	if !isList {
		return []Violation{{Code: ViolationMalformed, Detail: "the messages are not a list"}}, nil
	}
	part := excerptOf(f, wanted, list)
	found := places[f](map[string]any{dialogues[f].list: part.answers})
	a := audit{wanted: wanted, violations: append(part.violations(f), found.violations...)}
	a.compare(found.answers)
	a.compareNotices(notices, part.texts(f))
	return a.violations[:min(len(a.violations), MaxAudited)], nil
}

func listIn(text json.RawMessage) (list []any, isList bool) {
	isList = json.Unmarshal(text, &list) == nil
	return list, isList
}

// want is an answer that has to be there, with the call that it answers.
type want struct {
	answer
	call     RenderCall
	answered bool
}

// expected is what the gateway's own rendering of the batch says.
func expected(f Format, u FollowUp) ([]want, []string, error) {
	rendered, err := Render(f, u)
	if err != nil {
		return nil, nil, err
	}
	var doc any
	if err := json.Unmarshal(rendered, &doc); err != nil {
		return nil, nil, fmt.Errorf("read a rendering: %w", err)
	}
	calls := answeredCalls(f, u)
	answers := places[f](doc).answers
	if len(answers) != len(calls) {
		return nil, nil, fmt.Errorf("read a rendering: %d answers to %d calls", len(answers), len(calls))
	}
	wanted := make([]want, len(calls))
	for i, c := range calls {
		wanted[i] = want{answer: answers[i], call: c}
	}
	if f == Native { // its list is the results; notices stand beside it
		return wanted, nil, nil
	}
	return wanted, told{Notices: u.Notices}.spoken(), nil
}

// audit matches answers to what is wanted.
type audit struct {
	wanted     []want
	violations []Violation
	last       int // the latest place in wanted that was answered
}

// key is what an answer is matched by: its id, or the tool's name where a
// provider gives none.
func (a answer) key() string {
	if a.ID == "" {
		return "name " + a.Name
	}
	return "id " + a.ID
}

func (a *audit) compare(answers []answer) {
	places := make(map[string][]int, len(a.wanted))
	for i := range a.wanted {
		places[a.wanted[i].key()] = append(places[a.wanted[i].key()], i)
	}
	left := maps.Clone(places)
	for _, got := range answers {
		key := got.key()
		switch {
		case places[key] == nil:
			a.note(ViolationUnknown, nil, got.ID, "no call of the batch has this id")
		case len(left[key]) == 0:
			a.note(ViolationDuplicate, &a.wanted[places[key][0]], got.ID, "answered before")
		default:
			a.judge(left[key][0], got)
			left[key] = left[key][1:]
		}
	}
	for i := range a.wanted {
		if w := &a.wanted[i]; !w.answered {
			a.note(w.breach(ViolationMissing), w, w.call.ID, "no answer to this call")
		}
	}
}

// judge compares an answer with what is wanted at its place.
func (a *audit) judge(i int, got answer) {
	w := &a.wanted[i]
	w.answered = true
	if i < a.last {
		a.note(ViolationOrder, w, w.call.ID, "answered after a later call")
	}
	a.last = max(a.last, i)
	switch {
	case !got.anyKind && got.Custom != w.Custom:
		a.note(ViolationKind, w, w.call.ID, "custom calls have answers of their own kind")
	case got.said != w.said:
		a.note(w.breach(ViolationAltered), w, w.call.ID, "the text is not the ledger's")
	case got.failed != w.failed:
		a.note(w.breach(ViolationAltered), w, w.call.ID, "success and failure are mixed up")
	case got.Name != w.Name:
		a.note(ViolationAltered, w, w.call.ID, "answered under another name")
	}
}

// breach is the code of an answer that is missing or altered: a lost reminder
// or denial is worse than a lost result, and is named for what it is.
func (w *want) breach(otherwise ViolationCode) ViolationCode {
	r := &w.call.Result
	switch {
	case r.Tool == scheduler.ToolEnterPlanMode && r.Status == scheduler.StatusSuccess && r.Reason == nil:
		return ViolationReminder
	case r.Status == scheduler.StatusError && r.ExecutionStatus == scheduler.ExecutionNotStarted:
		return ViolationDenial
	default:
		return otherwise
	}
}

// compareNotices wants each notice somewhere in the follow-up's texts.
func (a *audit) compareNotices(notices, texts []string) {
	all := strings.Join(texts, "\n")
	for _, n := range notices {
		if !strings.Contains(all, n) {
			a.note(ViolationNotice, nil, "", "a notice to the model is not there")
		}
	}
}

// maxToldID bounds an id that a host made up and is told back.
const maxToldID = 256

func (a *audit) note(code ViolationCode, w *want, id, detail string) {
	v := violation(code, strings.ToValidUTF8(id[:min(len(id), maxToldID)], ""), detail)
	if w != nil {
		v.Position = &w.call.Position
	}
	a.violations = append(a.violations, v)
}
