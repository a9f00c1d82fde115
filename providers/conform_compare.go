package providers

import "fmt"

// answer is a result as it stands in a rendering.
type answer struct {
	Asked
	anyKind bool   // the format has one kind of answer for all kinds of calls
	madeID  bool   // an id that the gateway made may stand where the model gave none
	said    string // what the model reads; see saidIn
	failed  bool   // marked as a failure
}

// compareIDs matches answers to calls by id. A call without an id can't be
// answered and is missing.
func compareIDs(wanted []Asked, answers []answer) []Violation {
	m := matcher{wanted: wanted, at: make(map[string]int, len(wanted)), answered: make(map[string]bool, len(answers)), last: -1}
	for i, w := range wanted {
		m.at[w.ID] = i
	}
	var violations []Violation
	for _, a := range answers {
		if code, detail := m.judge(a); code != "" {
			violations = append(violations, violation(code, a.ID, detail))
		}
	}
	return append(violations, unanswered(wanted, m.answered)...)
}

// matcher goes through answers in their order.
type matcher struct {
	wanted   []Asked
	at       map[string]int // place of each id in wanted
	answered map[string]bool
	last     int // the latest call that was answered
}

// judge says what is wrong with the next answer; an empty code is nothing.
func (m *matcher) judge(a answer) (code ViolationCode, detail string) {
	i, known := m.at[a.ID]
	if a.ID == "" || !known {
		return ViolationUnknown, "no call has this id"
	}
	if m.answered[a.ID] {
		return ViolationDuplicate, "answered before"
	}
	before := m.last
	m.answered[a.ID], m.last = true, max(m.last, i)
	switch {
	case !a.anyKind && a.Custom != m.wanted[i].Custom:
		return ViolationKind, "custom calls have answers of their own kind"
	case i < before:
		return ViolationOrder, "answered after a later call"
	default:
		return "", ""
	}
}

func unanswered(wanted []Asked, answered map[string]bool) []Violation {
	var violations []Violation
	for _, w := range wanted {
		if !answered[w.ID] {
			violations = append(violations, violation(ViolationMissing, w.ID, fmt.Sprintf("no answer to a call of %q", w.Name)))
		}
	}
	return violations
}

// comparePositions matches answers to calls by place.
func comparePositions(wanted []Asked, answers []answer) []Violation {
	var violations []Violation
	for i := range max(len(wanted), len(answers)) {
		switch {
		case i >= len(answers):
			violations = append(violations, violation(ViolationMissing, wanted[i].ID, fmt.Sprintf("no answer at position %d", i)))
		case i >= len(wanted):
			violations = append(violations, violation(ViolationUnknown, answers[i].ID, fmt.Sprintf("more answers than the %d calls", len(wanted))))
		case !answers[i].fits(wanted[i]):
			violations = append(violations, violation(ViolationOrder, answers[i].ID, fmt.Sprintf("position %d answers another call", i)))
		}
	}
	return violations
}

// fits tells whether an answer is for this call.
func (a answer) fits(w Asked) bool {
	sameID := a.ID == w.ID || a.madeID && w.ID == ""
	return sameID && a.Name == w.Name
}

func violation(code ViolationCode, id, detail string) Violation {
	return Violation{Code: code, CallID: id, Detail: detail}
}
