package permissions

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// index is the path element of an array's i-th value.
func index(i int) string { return strconv.Itoa(i) }

// str reads a string and decodes it.
func (p *jsonParser) str() (string, error) {
	p.pos++
	start := p.pos
	for i := start; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.pos = i + 1
			return p.src[start:i], nil
		case c == '\\':
			return p.escaped(start, i)
		case c < ' ':
			return "", p.fail("control character in a string")
		}
	}
	return "", p.fail("string without an end")
}

// escaped goes on reading a string that began at start, from its first
// backslash at p.src[at].
func (p *jsonParser) escaped(start, at int) (string, error) {
	var b strings.Builder
	b.WriteString(p.src[start:at])
	p.pos = at
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		p.pos++
		switch {
		case c == '"':
			return b.String(), nil
		case c < ' ':
			return "", p.fail("control character in a string")
		case c != '\\':
			b.WriteByte(c)
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		}
	}
	return "", p.fail("string without an end")
}

const (
	escapeNames  = `"\/bfnrt`
	escapeValues = "\"\\/\b\f\n\r\t"
)

// escape decodes what follows a backslash.
func (p *jsonParser) escape() (rune, error) {
	if p.pos == len(p.src) {
		return 0, p.fail("string without an end")
	}
	c := p.src[p.pos]
	p.pos++
	if c == 'u' {
		return p.unicode()
	}
	i := strings.IndexByte(escapeNames, c)
	if i < 0 {
		return 0, p.fail("unknown escape in a string")
	}
	return rune(escapeValues[i]), nil
}

// unicode decodes \uXXXX, the second half of a surrogate pair included.
func (p *jsonParser) unicode() (rune, error) {
	r, err := p.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if !strings.HasPrefix(p.src[p.pos:], `\u`) {
		return 0, p.fail("lone surrogate in a string")
	}
	p.pos += len(`\u`)
	low, err := p.hex4()
	if err != nil {
		return 0, err
	}
	// DecodeRune answers U+FFFD for what is no pair; no pair encodes U+FFFD.
	if r = utf16.DecodeRune(r, low); r == '\uFFFD' {
		return 0, p.fail("lone surrogate in a string")
	}
	return r, nil
}

func (p *jsonParser) hex4() (rune, error) {
	if len(p.src)-p.pos < 4 {
		return 0, p.fail("broken escape in a string")
	}
	n, err := strconv.ParseUint(p.src[p.pos:p.pos+4], 16, 16)
	if err != nil {
		return 0, p.fail("broken escape in a string")
	}
	p.pos += 4
	return rune(n), nil
}

// number reads a number and keeps it as it is written.
func (p *jsonParser) number() (jsonValue, error) {
	start := p.pos
	p.one('-')
	if !p.one('0') && !p.digits() {
		return jsonValue{}, p.fail("not JSON")
	}
	if p.one('.') && !p.digits() {
		return jsonValue{}, p.fail("broken number")
	}
	if p.one('e') || p.one('E') {
		if !p.one('+') {
			p.one('-')
		}
		if !p.digits() {
			return jsonValue{}, p.fail("broken number")
		}
	}
	return jsonValue{kind: jsonNumber, text: p.src[start:p.pos]}, nil
}

// one consumes c if it is the very next byte.
func (p *jsonParser) one(c byte) bool {
	if p.pos == len(p.src) || p.src[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

func (p *jsonParser) digits() bool {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > start
}
