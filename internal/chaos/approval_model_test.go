package chaos

import "github.com/anishathalye/porcupine"

// What is done to an approval.
type (
	answerApproval struct{ by, option string }
	readApproval   struct{}
)

// What came of it: the approval as it is now, or who was first.
type (
	approvalSeen  struct{ status, by, option string }
	refusedAnswer struct{ approvalSeen }
)

// Statuses and kinds of approvals.
const (
	pending      = "pending"
	stale        = "stale"
	cancelled    = "cancelled"
	kindPlanExit = "plan_exit"
)

// seen is the approval as the register has it. Who made a question stale is
// not told to who answers it, so it isn't part of the state.
func (q asked) seen() approvalSeen {
	if q.Status == stale || q.Status == cancelled {
		return approvalSeen{status: q.Status}
	}
	return approvalSeen{q.Status, deref(q.ResolvedBy), deref(q.OptionID)}
}

// approvalModel: the first answer wins and stays, and whoever comes later is
// told whose it was. That a question is withdrawn is hidden from the clients,
// so it may have happened before any operation.
var approvalModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{approvalSeen{status: pending}} },
	Step: func(state, input, output any) []any {
		s := state.(approvalSeen)
		from := []approvalSeen{s}
		if s.status == pending {
			from = append(from, approvalSeen{status: stale}, approvalSeen{status: cancelled})
		}
		var next []any
		for _, s := range from {
			if to, ok := stepApproval(s, input, output); ok {
				next = append(next, to)
			}
		}
		return next
	},
}

func stepApproval(s approvalSeen, input, output any) (approvalSeen, bool) {
	in, answers := input.(answerApproval)
	if !answers {
		return s, output == s
	}
	won := approvalSeen{"approved", in.by, in.option}
	if in.option == optionReject {
		won.status = "rejected"
	}
	switch out := output.(type) {
	case approvalSeen:
		return won, s.status == pending && out == won
	case refusedAnswer:
		if s.status == cancelled {
			return s, out.status == cancelled
		}
		return s, out.approvalSeen == s && s.status != pending
	}
	if s.status == pending { // unknown, so it may have won
		return won, true
	}
	return s, true
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
