package chaos

import "github.com/anishathalye/porcupine"

// What is done to a call.
type (
	claimCall  struct{ host string }
	reportCall struct{ host, output string }
	readCall   struct{}
)

// What came of it.
type (
	claimed struct {
		granted bool
		heldBy  string
	}
	reported struct{ code string } // empty: accepted
	result   struct{ output string }
)

// endedAside is the result of a call that no host's report ended: denied,
// rejected, aborted.
const endedAside = "\x00aside"

// ledgerLine is a call's state. A host has it or nobody, and it ends once.
type ledgerLine struct{ host, output string }

// callModel: a call is granted to one host, and its result never changes. That
// the gateway ends a call by itself is hidden from the clients, so it may have
// happened before any operation.
var callModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{ledgerLine{}} },
	Step: func(state, input, output any) []any {
		s := state.(ledgerLine)
		from := []ledgerLine{s}
		if s.output == "" {
			from = append(from, ledgerLine{s.host, endedAside})
		}
		var next []any
		for _, s := range from {
			if to, ok := stepCall(s, input, output); ok {
				next = append(next, to)
			}
		}
		return next
	},
}

func stepCall(s ledgerLine, input, output any) (ledgerLine, bool) {
	switch in := input.(type) {
	case claimCall:
		return stepClaim(s, in, output)
	case reportCall:
		return stepReport(s, in, output)
	default: // readCall
		return s, output == result{s.output}
	}
}

func stepClaim(s ledgerLine, in claimCall, output any) (ledgerLine, bool) {
	free := s.output == "" && (s.host == "" || s.host == in.host)
	if isUnknown(output) {
		if free {
			s.host = in.host
		}
		return s, true
	}
	got := output.(claimed)
	if got.granted {
		return ledgerLine{in.host, s.output}, free
	}
	return s, got.heldBy == s.host // nobody: it was not offered, or not any more
}

func stepReport(s ledgerLine, in reportCall, output any) (ledgerLine, bool) {
	// A report for a call that nobody holds claims it as well.
	takes := s.output == "" && (s.host == "" || s.host == in.host)
	taken := ledgerLine(in)
	if isUnknown(output) {
		if takes {
			return taken, true
		}
		return s, true
	}
	switch output.(reported).code {
	case "":
		if takes {
			return taken, true
		}
		return s, s.output == in.output
	case "call_held":
		return s, s.output == "" && s.host != "" && s.host != in.host
	case "result_conflict":
		return s, s.output != "" && s.output != endedAside && s.output != in.output
	case "call_late":
		return s, s.output == endedAside
	case "call_not_dispatched":
		return s, s.host == ""
	}
	return s, false
}
