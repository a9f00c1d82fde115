package providers

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// lossless tells whether a JSON string decodes to exactly what was written:
// encoding/json puts U+FFFD in the place of invalid UTF-8 and of lone
// surrogates, and arguments must never be repaired.
func lossless(quoted []byte) bool {
	if !utf8.Valid(quoted) {
		return false
	}
	for i := 0; i < len(quoted); {
		r, size := escapeAt(quoted[i:])
		i += size
		if !utf16.IsSurrogate(r) {
			continue
		}
		low, size := escapeAt(quoted[i:])
		if utf16.DecodeRune(r, low) == utf8.RuneError {
			return false
		}
		i += size
	}
	return true
}

// escapeAt reads what stands at the start of b, which is inside a valid JSON
// string: the code unit of a \u escape and its length; zero for anything else.
func escapeAt(b []byte) (rune, int) {
	if b[0] != '\\' {
		return 0, 1
	}
	if b[1] != 'u' {
		return 0, 2
	}
	v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return 0, 2
	}
	return rune(v), 6
}
