package hooks

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/session-gateway/gateway/tenants"
)

// MaxAnswerBytes bounds an answer: a verdict and a reason fit many times over.
const MaxAnswerBytes = 64 << 10

// maxReasonChars bounds a reason: the model reads it, and pays for it.
const maxReasonChars = 500

// ParseAnswer reads {"verdict": "pass" | "ask" | "deny", "reason"?: text}.
// Whatever it can't read, and every other verdict, denies: a receiver that says
// something is not taken to have said yes.
func ParseAnswer(body []byte) Answer {
	var said struct {
		Verdict tenants.HookVerdict `json:"verdict"`
		Reason  string              `json:"reason"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return Answer{Verdict: tenants.HookDeny, Reason: "its answer could not be read"}
	}
	a := Answer{Verdict: said.Verdict, Reason: shorten(said.Reason)}
	switch a.Verdict {
	case tenants.HookPass, tenants.HookAsk, tenants.HookDeny:
		return a
	default:
		return Answer{Verdict: tenants.HookDeny, Reason: "its answer was no verdict"}
	}
}

// shorten makes a reason fit to be read: bounded, on printable lines.
func shorten(reason string) string {
	reason = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, reason)
	if chars := []rune(reason); len(chars) > maxReasonChars {
		return string(chars[:maxReasonChars]) + "…"
	}
	return strings.TrimSpace(reason)
}
