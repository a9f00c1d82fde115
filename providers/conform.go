package providers

import (
	"encoding/json"
	"fmt"
)

// ViolationCode says which rule a rendering breaks.
type ViolationCode string

// The rules. Each is one that makes a provider refuse the next request, or that
// the gateway promises on top (order).
const (
	ViolationMissing   ViolationCode = "missing_result"   // a call without an answer
	ViolationUnknown   ViolationCode = "unknown_id"       // an answer to no call
	ViolationDuplicate ViolationCode = "duplicate_result" // a second answer to a call
	ViolationOrder     ViolationCode = "wrong_order"      // answers not in call order
	ViolationMisplaced ViolationCode = "misplaced"        // an answer or text where it may not be
	ViolationKind      ViolationCode = "wrong_kind"       // an answer of another kind than its call
	ViolationMalformed ViolationCode = "malformed"        // not a shape that the provider reads
)

// Violation is one breach of a provider's rules.
type Violation struct {
	Code   ViolationCode `json:"code"`
	CallID string        `json:"call_id,omitempty"` // where it is about one id
	// Position is where it is about a call that an audit knows by its place.
	Position *int   `json:"position,omitempty"`
	Detail   string `json:"detail"`
}

// Conforms judges a rendering in the format of the assistant message that it
// answers; none is good. For Native the message is an object with calls. It
// shares no code with Parse and Render, so it can hold them to account.
func Conforms(f Format, message json.RawMessage, rendered []byte) []Violation {
	calls, err := AskedIn(f, message)
	if err != nil {
		return []Violation{{Code: ViolationMalformed, Detail: "the message: " + err.Error()}}
	}
	return Exchange{From: f, To: f, Calls: calls}.Check(rendered)
}

// Asked is a call that must be answered.
type Asked struct {
	ID     string // as the model gave it; empty when it gave none
	Name   string
	Custom bool
}

// Exchange is a batch that came in in one format and is answered in another.
type Exchange struct {
	From, To Format
	Calls    []Asked
}

// Check judges a rendering; none is good.
func (x Exchange) Check(rendered []byte) []Violation {
	var doc any
	if err := json.Unmarshal(rendered, &doc); err != nil {
		return []Violation{{Code: ViolationMalformed, Detail: "the rendering is not JSON"}}
	}
	place, ok := places[x.To]
	if !ok {
		return []Violation{{Code: ViolationMalformed, Detail: fmt.Sprintf("no format %q", x.To)}}
	}
	found := place(doc)
	if x.byPosition() {
		return append(found.violations, comparePositions(x.wanted(doc), found.answers)...)
	}
	return append(found.violations, compareIDs(x.wanted(doc), found.answers)...)
}

// byPosition tells the formats whose answers are matched by place.
func (x Exchange) byPosition() bool { return x.To == Gemini || x.To == Native }

// wanted is the answers that the rendering must hold: each id once, with the
// ids that the gateway assigned. Native answers every call, and so does gemini
// to a message of its own.
func (x Exchange) wanted(doc any) []Asked {
	if x.To == Native || x.To == Gemini && x.From == Gemini {
		return x.Calls
	}
	ids := assignedIn(doc)
	seen := map[string]bool{}
	var wanted []Asked
	for i, c := range x.Calls {
		if c.ID == "" {
			c.ID = ids[i]
		}
		if c.ID == "" || !seen[c.ID] {
			wanted = append(wanted, c)
		}
		seen[c.ID] = true
	}
	return wanted
}

func assignedIn(doc any) map[int]string {
	ids := map[int]string{}
	for _, entry := range listOf(doc, "assigned_ids") {
		if position, ok := member(entry, "position").(float64); ok {
			ids[int(position)] = stringOf(entry, "id")
		}
	}
	return ids
}
