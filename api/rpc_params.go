package api

import (
	"encoding/json"
	"regexp"

	"github.com/session-gateway/gateway/sessions"
)

// rpcForm is what a text parameter looks like; the same as in openapi.yaml.
type rpcForm struct {
	pattern *regexp.Regexp
	detail  string
}

var (
	rpcID128    = rpcForm{regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`), "is not an id"}
	rpcGivenID  = rpcForm{regexp.MustCompile(`^[^\x00-\x1f\x7f-\x9f]{1,256}$`), "is not an id"}
	rpcStatus   = rpcForm{regexp.MustCompile(`^(pending|approved|rejected|expired|cancelled|stale)$`), "is not a status"}
	rpcCursor   = rpcForm{regexp.MustCompile(`^[A-Za-z0-9_.:=~-]{1,512}$`), "is not a cursor"}
	rpcOption   = rpcForm{regexp.MustCompile(`^[a-z_]{1,32}$`), "is not an option"}
	rpcHash     = rpcForm{regexp.MustCompile(`^[0-9a-f]{64}$`), "is not a SHA-256 in hex digits"}
	rpcFeedback = rpcForm{nil, ""} // bounded by the use case
)

// rpcParams reads the parameters of a call by name, and gathers what is wrong.
type rpcParams struct {
	left  map[string]json.RawMessage
	wrong []sessions.Field
}

func readParams(text json.RawMessage) (*rpcParams, error) {
	p := &rpcParams{left: map[string]json.RawMessage{}}
	if len(text) == 0 {
		return p, nil
	}
	if text[0] != '{' {
		return nil, invalidField("", "parameters are given by name")
	}
	return p, json.Unmarshal(text, &p.left)
}

func (p *rpcParams) refuse(name, detail string) {
	p.wrong = append(p.wrong, sessions.Field{Path: pointer(name), Detail: detail})
}

// take gives a parameter once; null counts as none.
func (p *rpcParams) take(name string) (json.RawMessage, bool) {
	value, given := p.left[name]
	delete(p.left, name)
	return value, given && string(value) != "null"
}

// text is a parameter that may be missing.
func (p *rpcParams) text(name string, form rpcForm) *string {
	value, given := p.take(name)
	if !given {
		return nil
	}
	var text string
	if !is(value, &text) {
		p.refuse(name, "must be a string")
		return nil
	}
	if form.pattern != nil && !form.pattern.MatchString(text) {
		p.refuse(name, form.detail)
	}
	return &text
}

// required is a parameter that may not.
func (p *rpcParams) required(name string, form rpcForm) string {
	if _, given := p.left[name]; !given {
		p.refuse(name, "is required")
	}
	return valueOr(p.text(name, form), "")
}

func (p *rpcParams) number(name string, lowest, highest, fallback int) int {
	value, given := p.take(name)
	if !given {
		return fallback
	}
	var n int
	if err := json.Unmarshal(value, &n); err != nil || n < lowest || n > highest {
		p.refuse(name, "is not a number in its bounds")
	}
	return n
}

// done says what was wrong with the parameters, those that the method does not
// have included.
func (p *rpcParams) done() error {
	for name := range p.left {
		p.refuse(name, "is not a parameter of this method")
	}
	if len(p.wrong) == 0 {
		return nil
	}
	return invalidFields(p.wrong)
}
