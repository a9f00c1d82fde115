package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
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
	said, err := members(body)
	if err != nil {
		return Answer{Verdict: tenants.HookDeny, Reason: "its answer could not be read"}
	}
	a := Answer{Verdict: tenants.HookVerdict(said["verdict"]), Reason: shorten(said["reason"])}
	switch a.Verdict {
	case tenants.HookPass, tenants.HookAsk, tenants.HookDeny:
		return a
	default:
		return Answer{Verdict: tenants.HookDeny, Reason: "its answer was no verdict"}
	}
}

var errAmbiguous = errors.New("not one object with each name once")

// members reads the texts of an object, by their exact names. A name that is
// there twice is refused: whoever looks over the receiver's answers may see the
// other one. What isn't a text is only walked over, where nobody asks for it.
func members(body []byte) (map[string]string, error) {
	if !json.Valid(body) {
		return nil, errAmbiguous
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errAmbiguous
	}
	said := make(map[string]string)
	for d.More() {
		name, value, err := member(d)
		if _, twice := said[name]; err != nil || twice {
			return nil, errAmbiguous
		}
		said[name] = value
	}
	return said, nil
}

func member(d *json.Decoder) (name, value string, err error) {
	token, err := d.Token()
	if err != nil {
		return "", "", err
	}
	name, _ = token.(string)
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return "", "", err
	}
	if name == "verdict" || name == "reason" {
		err = json.Unmarshal(raw, &value)
	}
	return name, value, err
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
