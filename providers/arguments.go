package providers

import (
	"encoding/json"

	"github.com/session-gateway/gateway/scheduler"
)

// What a call that came without arguments is given on a normal finish.
const (
	noArguments = "{}"
	noInput     = `{"input":""}` // of a custom tool call
)

// finish is how the model's output ended.
type finish int

const (
	finishNormal    finish = iota // unknown, empty and absent reasons too
	finishCut                     // the provider's limit cut the output somewhere
	finishMalformed               // the provider itself couldn't read the calls
)

// arguments is the text of a call's arguments as it came.
type arguments struct {
	text   string // empty: none came
	broken bool   // not JSON, so possibly cut
}

// objectArguments reads arguments that the provider sends as an object. Some
// hosts assemble a stream into a string instead: an empty one is no arguments,
// and one that isn't JSON is what a cut stream leaves. In any other case the
// raw text is kept, whatever its type.
func objectArguments(n node) arguments {
	inner, err := n.text()
	if err != nil || n.null() {
		return arguments{text: string(n.raw)}
	}
	if inner == "" {
		return arguments{}
	}
	return arguments{text: string(n.raw), broken: !json.Valid([]byte(inner))}
}

// optional makes null absent, for providers whose encoders write absent fields
// so.
func (n node) optional() node {
	if n.null() {
		return node{at: n.at}
	}
	return n
}

// textArguments reads arguments that the provider sends as JSON in a string. A
// value of another type, or a string that can't be decoded without loss, is
// kept as its raw text.
func textArguments(n node) arguments {
	text, err := n.text()
	if err != nil {
		return arguments{text: string(n.raw)}
	}
	a := arguments{text: text, broken: !json.Valid([]byte(text))}
	if !lossless(n.raw) {
		a.text = string(n.raw)
	}
	return a
}

// customArguments wraps the free text of a custom tool call, so that rules and
// schemas see an object as with any other call.
func customArguments(n node) (arguments, error) {
	text, err := n.text()
	switch {
	case err != nil || !lossless(n.raw): // judged with the call, as what it is
		return arguments{text: string(n.raw)}, nil //nolint:nilerr // see above
	case text == "":
		return arguments{}, nil
	}
	wrapped, err := encode(struct {
		Input string `json:"input"`
	}{text})
	return arguments{text: string(wrapped)}, err
}

// settle says what a call with these arguments carries after such a finish.
// Arguments that are whole stay usable in a message that was cut elsewhere.
func (f finish) settle(a arguments, none string) (string, scheduler.Fault) {
	switch {
	case f == finishMalformed, f == finishCut && (a.text == "" || a.broken):
		return a.text, scheduler.FaultTruncated
	case a.text == "":
		return none, scheduler.FaultNone
	default:
		return a.text, scheduler.FaultNone
	}
}
