package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
)

// node is a value inside a message and where it stands. The zero node is an
// absent value. Only syntactically valid JSON becomes a node, so reading one
// can only fail on its type.
//
// Objects are read key by key with exact case and only wanted keys are kept:
// encoding/json's own matching ignores case, and its maps would let a small
// message full of tiny keys take many times its size.
type node struct {
	raw json.RawMessage
	at  string // JSON pointer
}

func newNode(message json.RawMessage) (node, error) {
	if !json.Valid(message) {
		return node{}, &InvalidError{Detail: "must be valid JSON"}
	}
	return node{raw: bytes.TrimSpace(message)}, nil
}

func (n node) absent() bool { return len(n.raw) == 0 }

func (n node) null() bool { return n.opens('n') }

// given tells a value from an absent one and from null, which is how many
// encoders write an optional field that isn't there.
func (n node) given() bool { return !n.absent() && !n.null() }

// opens looks at the first byte, which tells a value's type.
func (n node) opens(c byte) bool { return len(n.raw) > 0 && n.raw[0] == c }

func (n node) invalid(detail string) error {
	return &InvalidError{Field: n.at, Detail: detail}
}

// fields gives the wanted members of an object. Absent ones are zero nodes that
// know their place; of a key that comes twice the last one counts.
func (n node) fields(keys ...string) (map[string]node, error) {
	if !n.opens('{') {
		return nil, n.invalid("must be an object")
	}
	found := make(map[string]node, len(keys))
	for _, key := range keys {
		found[key] = node{at: n.at + "/" + key}
	}
	return found, n.eachMember(func(key string, raw json.RawMessage) {
		if m, wanted := found[key]; wanted {
			found[key] = node{raw: raw, at: m.at}
		}
	})
}

func (n node) eachMember(visit func(string, json.RawMessage)) error {
	d, err := n.enter()
	if err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return fmt.Errorf("read %s: %w", n.at, err)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("read %s: %w", n.at, err)
		}
		name, _ := key.(string) // a member's first token always is one
		visit(name, raw)
	}
	return nil
}

// elements walks through an array and stops at the first error, which it
// yields. An absent or null array has no elements.
func (n node) elements() iter.Seq2[node, error] {
	return func(yield func(node, error) bool) {
		if !n.given() {
			return
		}
		if !n.opens('[') {
			yield(n, n.invalid("must be an array"))
			return
		}
		if err := n.eachElement(yield); err != nil {
			yield(n, err)
		}
	}
}

func (n node) eachElement(yield func(node, error) bool) error {
	d, err := n.enter()
	if err != nil {
		return err
	}
	for i := 0; d.More(); i++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("read %s: %w", n.at, err)
		}
		if !yield(node{raw: raw, at: n.at + "/" + strconv.Itoa(i)}, nil) {
			return nil
		}
	}
	return nil
}

// enter gives a decoder that stands behind the opening bracket.
func (n node) enter() (*json.Decoder, error) {
	d := json.NewDecoder(bytes.NewReader(n.raw))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("read %s: %w", n.at, err)
	}
	return d, nil
}

// text reads a string; an absent or null one is empty.
func (n node) text() (string, error) {
	if !n.given() {
		return "", nil
	}
	if !n.opens('"') {
		return "", n.invalid("must be a string")
	}
	var s string
	if err := json.Unmarshal(n.raw, &s); err != nil {
		return "", fmt.Errorf("read %s: %w", n.at, err)
	}
	return s, nil
}

// label reads a string that only informs, such as a type or a finish reason.
// Anything else counts as empty.
func (n node) label() string {
	s, err := n.text()
	if err != nil {
		return ""
	}
	return s
}
