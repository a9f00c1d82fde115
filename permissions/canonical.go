package permissions

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSONError says what is wrong with a JSON text and where, never with which
// value: arguments may hold secrets, and errors are logged.
type JSONError struct {
	Path    string // JSON pointer; empty for the whole text
	Problem string
}

// Error names the place and the problem.
func (e *JSONError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return "at " + strconv.Quote(e.Path) + ": " + e.Problem
}

// CanonicalJSON rewrites a JSON text so that equal values have equal bytes:
// keys sorted, no white space, strings with the fewest escapes, numbers as they
// were written. The error is a *JSONError: invalid JSON, a key twice in one
// object, invalid UTF-8, lone surrogates, nesting beyond MaxJSONDepth.
func CanonicalJSON(text string) ([]byte, error) {
	v, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return v.append(make([]byte, 0, len(text))), nil
}

// append writes the canonical form.
func (v *jsonValue) append(b []byte) []byte {
	switch v.kind {
	case jsonString:
		return appendString(b, v.text)
	case jsonArray:
		return v.appendArray(b)
	case jsonObject:
		return v.appendObject(b)
	case jsonNull, jsonBool, jsonNumber:
	}
	return append(b, v.text...)
}

func (v *jsonValue) appendArray(b []byte) []byte {
	b = append(b, '[')
	for i := range v.elems {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.elems[i].append(b)
	}
	return append(b, ']')
}

func (v *jsonValue) appendObject(b []byte) []byte {
	b = append(b, '{')
	for i := range v.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, v.members[i].key), ':')
		b = v.members[i].value.append(b)
	}
	return append(b, '}')
}

// appendString escapes what JSON demands and nothing else.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// errorPath writes path elements as a JSON pointer, cut to maxErrorPath.
func errorPath(elems []string) string {
	var b strings.Builder
	for _, e := range elems {
		b.WriteByte('/')
		if len(e) > maxErrorPath {
			e = e[:maxErrorPath]
		}
		b.WriteString(pointerEscape.Replace(e))
		if b.Len() > maxErrorPath {
			break
		}
	}
	s := b.String()
	if len(s) <= maxErrorPath {
		return s
	}
	return strings.ToValidUTF8(s[:maxErrorPath], "") + string(utf8.RuneError)
}
