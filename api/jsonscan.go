package api

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/session-gateway/gateway/sessions"
)

const (
	// maxBodyDepth bounds nesting. Everything that reads a body walks it by
	// recursion; this keeps stacks small whatever is sent.
	maxBodyDepth = 256
	// maxBodyValues bounds the values outside of opaque parts: each costs some
	// hundred bytes when it is validated, and more when it is refused.
	maxBodyValues = 100_000
)

// opaquePath leads to a part of a body that the contract says nothing about
// but its type; `*` stands for every element of an array. Such parts are judged
// by the use case and reach it byte for byte.
type opaquePath []string

// free are opaque parts that even may hold duplicate keys: they are a model's
// words, and what is wrong with them is told to the model.
const free = "free"

// opaque lists the opaque parts by operation. A last element of free marks the
// free ones.
var opaque = map[string][]opaquePath{
	"createSession": {{"tools", "*", "input_schema"}, {"structured_output", "schema"}},
	"putTools":      {{"tools", "*", "input_schema"}},
	"submitBatch":   {{"message", free}, {"calls", "*", "arguments", free}},
	"reportResults": {{"results", "*", "output"}},
}

// skeleton checks the form of a JSON body and returns it with an empty value of
// the same type in place of each opaque part: this is what is validated against
// the contract, so that a model's megabytes cost the validator nothing.
func skeleton(body []byte, parts []opaquePath) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, refusal(codeMalformedBody, "The body is not valid UTF-8.")
	}
	if tooDeep(body) {
		return nil, refusal(codeMalformedBody, "The body is nested deeper than "+strconv.Itoa(maxBodyDepth)+" levels.")
	}
	if !json.Valid(body) {
		return nil, refusal(codeMalformedBody, "The body is not valid JSON.")
	}
	s := scanner{in: body, out: make([]byte, 0, min(len(body), 64<<10)), emit: true, unique: true}
	s.space()
	if err := s.value(parts); err != nil {
		return nil, err
	}
	return s.out, nil
}

// tooDeep counts brackets outside of strings; it doesn't recurse and doesn't
// need valid JSON.
func tooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxBodyDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// scanner walks JSON that is known to be valid.
type scanner struct {
	in     []byte
	pos    int
	out    []byte
	emit   bool // copy to out, and count
	unique bool // refuse duplicate keys
	values int
}

func (s *scanner) space() {
	for s.pos < len(s.in) && bytes.IndexByte([]byte(" \t\r\n"), s.in[s.pos]) >= 0 {
		s.pos++
	}
}

// take moves over n bytes, and white space behind them.
func (s *scanner) take(n int) {
	if s.emit {
		s.out = append(s.out, s.in[s.pos:s.pos+n]...)
	}
	s.pos += n
	s.space()
}

func (s *scanner) value(parts []opaquePath) error {
	if s.emit {
		if s.values++; s.values > maxBodyValues {
			return refusal(sessions.CodeTooLarge, "The body holds more than "+strconv.Itoa(maxBodyValues)+" values.")
		}
	}
	switch s.in[s.pos] {
	case '{':
		return s.object(parts)
	case '[':
		return s.array(parts)
	}
	s.take(scalarLen(s.in[s.pos:]))
	return nil
}

func (s *scanner) object(parts []opaquePath) error {
	seen := make(map[string]bool)
	for s.take(1); s.in[s.pos] != '}'; {
		if s.in[s.pos] == ',' {
			s.take(1)
		}
		name, err := s.name()
		if err != nil {
			return err
		}
		if s.unique && seen[name] {
			return invalidField(pointer(name), "appears twice")
		}
		seen[name] = true
		s.take(1) // the colon
		if err := s.member(name, parts); err != nil {
			return within(name, err)
		}
	}
	s.take(1)
	return nil
}

func (s *scanner) array(parts []opaquePath) error {
	s.take(1)
	for i := 0; s.in[s.pos] != ']'; i++ {
		if s.in[s.pos] == ',' {
			s.take(1)
		}
		if err := s.member("*", parts); err != nil {
			return within(strconv.Itoa(i), err)
		}
	}
	s.take(1)
	return nil
}

func (s *scanner) name() (string, error) {
	raw := s.in[s.pos : s.pos+scalarLen(s.in[s.pos:])]
	s.take(len(raw))
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return "", refusal(codeMalformedBody, "The body is not valid JSON.")
	}
	return name, nil
}

// member walks the value behind a name, or replaces it where it is opaque.
func (s *scanner) member(name string, parts []opaquePath) error {
	rest := below(parts, name)
	for _, p := range rest {
		if len(p) == 0 || p[0] == free {
			return s.skip(len(p) == 0)
		}
	}
	return s.value(rest)
}

// skip moves over an opaque value.
func (s *scanner) skip(unique bool) error {
	if !s.emit {
		return s.value(nil)
	}
	s.out = append(s.out, emptyLike(s.in[s.pos:])...)
	outer := s.unique
	s.emit, s.unique = false, unique
	err := s.value(nil)
	s.emit, s.unique = true, outer
	return err
}

func below(parts []opaquePath, name string) []opaquePath {
	var rest []opaquePath
	for _, p := range parts {
		if len(p) > 0 && p[0] == name {
			rest = append(rest, p[1:])
		}
	}
	return rest
}

// emptyLike is the smallest value of the same JSON type.
func emptyLike(value []byte) []byte {
	switch value[0] {
	case '{':
		return []byte("{}")
	case '[':
		return []byte("[]")
	case '"':
		return []byte(`""`)
	}
	return value[:scalarLen(value)]
}

// scalarLen is the length of the string, number or word that b starts with.
func scalarLen(b []byte) int {
	if b[0] != '"' {
		if end := bytes.IndexAny(b, " \t\r\n,]}"); end >= 0 {
			return end
		}
		return len(b)
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
