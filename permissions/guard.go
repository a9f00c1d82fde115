package permissions

import "strings"

// openerWords are the reserved words that open a nesting construct.
var openerWords = map[string]bool{
	"if": true, "elif": true, "for": true, "while": true, "until": true, "case": true,
	"select": true, "function": true, "coproc": true, "time": true, "then": true,
	"do": true, "else": true,
}

// tooDeep is the guard before the shell parser. It counts everything that could
// make the parser recurse, in quotes or not, without parsing anything.
func tooDeep(text string) bool {
	n, start := 0, 0
	for i := range len(text) {
		c := text[i]
		if isWordByte(c) {
			continue
		}
		if openerWords[text[start:i]] {
			n++
		}
		start = i + 1
		if c == '(' || c == '{' || c == '`' || c == '[' && i > 0 && opensIndex(text[i-1]) {
			n++
		}
		if n > MaxOpeners {
			return true
		}
	}
	return false
}

// opensIndex reports whether a bracket after c is arithmetic or a test: a[…,
// $[… or [[.
func opensIndex(c byte) bool { return isWordByte(c) || c == '$' || c == '[' }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// notShell reports whether a text can't be a shell's: shells drop or cut at
// NUL, each in its own way.
func notShell(text string) bool {
	return strings.ContainsRune(text, 0) || strings.TrimSpace(text) == ""
}
