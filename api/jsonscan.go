package api

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/sessions"
)

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
	for s.pos < len(s.in) && strings.IndexByte(" \t\r\n", s.in[s.pos]) >= 0 {
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

func (s *scanner) value(parts []opaquePart) error {
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

func (s *scanner) object(parts []opaquePart) error {
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

func (s *scanner) array(parts []opaquePart) error {
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
func (s *scanner) member(name string, parts []opaquePart) error {
	rest := below(parts, name)
	for _, p := range rest {
		if len(p.path) == 0 {
			return s.skip(!p.free)
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

func below(parts []opaquePart, name string) []opaquePart {
	var rest []opaquePart
	for _, p := range parts {
		if len(p.path) > 0 && p.path[0] == name {
			rest = append(rest, opaquePart{path: p.path[1:], free: p.free})
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
