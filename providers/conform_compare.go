package providers

import "fmt"

// answer is a result as it stands in a rendering.
type answer struct {
	Asked
	anyKind bool // the format has one kind of answer for all kinds of calls
}

// compareIDs matches answers to calls by id. A call without an id can't be
// answered and is missing.
func compareIDs(wanted []Asked, answers []answer) []Violation {
	at := make(map[string]int, len(wanted))
	for i, w := range wanted {
		at[w.ID] = i
	}
	var violations []Violation
	answered := make(map[string]bool, len(answers))
	last := -1
	for _, a := range answers {
		i, known := at[a.ID]
		switch {
		case a.ID == "" || !known:
			violations = append(violations, violation(ViolationUnknown, a.ID, "no call has this id"))
			continue
		case answered[a.ID]:
			violations = append(violations, violation(ViolationDuplicate, a.ID, "answered before"))
			continue
		case !a.anyKind && a.Custom != wanted[i].Custom:
			violations = append(violations, violation(ViolationKind, a.ID, "custom calls have answers of their own kind"))
		case i < last:
			violations = append(violations, violation(ViolationOrder, a.ID, "answered after a later call"))
		}
		answered[a.ID] = true
		last = max(last, i)
	}
	return append(violations, unanswered(wanted, answered)...)
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

// fits tells whether an answer is for this call; one of Native may carry an id
// that the gateway made.
func (a answer) fits(w Asked) bool {
	if a.Name != w.Name {
		return false
	}
	return a.ID == w.ID || a.anyKind && w.ID == "" && a.ID != ""
}

func violation(code ViolationCode, id, detail string) Violation {
	return Violation{Code: code, CallID: id, Detail: detail}
}
