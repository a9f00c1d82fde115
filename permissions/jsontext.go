package permissions

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonKind is the type of a parsed JSON value.
type jsonKind byte

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// jsonValue is a parsed value. Scalars keep the text they were written as;
// strings are decoded. Members are sorted by key and unique.
type jsonValue struct {
	kind    jsonKind
	text    string
	elems   []jsonValue
	members []jsonMember
}

type jsonMember struct {
	key   string
	value jsonValue
}

// member finds a key by exact case.
func (v *jsonValue) member(key string) (*jsonValue, bool) {
	if v.kind != jsonObject {
		return nil, false
	}
	i, ok := slices.BinarySearchFunc(v.members, key, func(m jsonMember, key string) int {
		return strings.Compare(m.key, key)
	})
	if !ok {
		return nil, false
	}
	return &v.members[i].value, true
}

// jsonParser reads one strict JSON text (RFC 8259, and I-JSON's demands:
// unique keys, valid UTF-8, no lone surrogates). encoding/json is not used
// because it takes the last of two equal keys and repairs bad text silently.
type jsonParser struct {
	src  string
	pos  int
	path []string
	few  [usualDepth]string // where a path begins, so that usual arguments need no memory for it
}

// What arguments usually are: small objects that are hardly nested.
const (
	usualDepth   = 4
	usualMembers = 4
)

// parseJSON reads text as exactly one JSON value.
func parseJSON(text string) (jsonValue, error) {
	p := jsonParser{src: text}
	p.path = p.few[:0]
	if !utf8.ValidString(p.src) {
		return jsonValue{}, p.fail("invalid UTF-8")
	}
	v, err := p.value()
	if err != nil {
		return jsonValue{}, err
	}
	p.space()
	if p.pos < len(p.src) {
		return jsonValue{}, p.fail("text after the value")
	}
	return v, nil
}

func (p *jsonParser) fail(problem string) error {
	return &JSONError{Path: errorPath(p.path), Problem: problem}
}

func (p *jsonParser) space() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// peek returns the next byte after white space, or 0 at the end.
func (p *jsonParser) peek() byte {
	p.space()
	if p.pos == len(p.src) {
		return 0
	}
	return p.src[p.pos]
}

// take consumes c if it comes next.
func (p *jsonParser) take(c byte) bool {
	if p.peek() != c || p.pos == len(p.src) {
		return false
	}
	p.pos++
	return true
}

func (p *jsonParser) value() (jsonValue, error) {
	switch p.peek() {
	case '{':
		return p.nested(jsonObject)
	case '[':
		return p.nested(jsonArray)
	case '"':
		s, err := p.str()
		return jsonValue{kind: jsonString, text: s}, err
	case 't':
		return p.literal("true", jsonBool)
	case 'f':
		return p.literal("false", jsonBool)
	case 'n':
		return p.literal("null", jsonNull)
	default:
		return p.number()
	}
}

func (p *jsonParser) nested(kind jsonKind) (v jsonValue, err error) {
	if len(p.path) >= MaxJSONDepth {
		return jsonValue{}, p.fail("nested too deeply")
	}
	p.pos++
	p.path = append(p.path, "")
	if kind == jsonObject {
		v, err = p.object()
	} else {
		v, err = p.array()
	}
	p.path = p.path[:len(p.path)-1]
	return v, err
}

func (p *jsonParser) literal(word string, kind jsonKind) (jsonValue, error) {
	if !strings.HasPrefix(p.src[p.pos:], word) {
		return jsonValue{}, p.fail("not JSON")
	}
	p.pos += len(word)
	return jsonValue{kind: kind, text: word}, nil
}

func (p *jsonParser) array() (jsonValue, error) {
	v := jsonValue{kind: jsonArray}
	if p.take(']') {
		return v, nil
	}
	for {
		p.path[len(p.path)-1] = index(len(v.elems))
		e, err := p.value()
		if err != nil {
			return v, err
		}
		v.elems = append(v.elems, e)
		if p.take(']') {
			return v, nil
		}
		if !p.take(',') {
			return v, p.fail("expected a comma or the array's end")
		}
	}
}

func (p *jsonParser) object() (jsonValue, error) {
	v := jsonValue{kind: jsonObject}
	if p.take('}') {
		return v, nil
	}
	v.members = make([]jsonMember, 0, usualMembers)
	for {
		m, err := p.member()
		if err != nil {
			return v, err
		}
		v.members = append(v.members, m)
		if p.take('}') {
			return v, p.sortMembers(v.members)
		}
		if !p.take(',') {
			return v, p.fail("expected a comma or the object's end")
		}
	}
}

func (p *jsonParser) member() (jsonMember, error) {
	if p.peek() != '"' {
		return jsonMember{}, p.fail("expected a key")
	}
	key, err := p.str()
	if err != nil {
		return jsonMember{}, err
	}
	p.path[len(p.path)-1] = key
	if !p.take(':') {
		return jsonMember{}, p.fail("expected a colon")
	}
	v, err := p.value()
	return jsonMember{key, v}, err
}

func (p *jsonParser) sortMembers(members []jsonMember) error {
	slices.SortFunc(members, func(a, b jsonMember) int { return strings.Compare(a.key, b.key) })
	for i := 1; i < len(members); i++ {
		if members[i].key == members[i-1].key {
			p.path[len(p.path)-1] = members[i].key
			return p.fail("the key stands there twice")
		}
	}
	return nil
}
