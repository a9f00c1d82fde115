package permissions

import (
	"regexp"
	"strings"
)

// asShellsRead is the text with its lines ended where a shell ends them and the
// parser does not: the parser drops a carriage return before a line's end, also
// after a backslash, and lets a backslash join a comment to the next line. Either
// hides a command: `true # \`, and on the next line `rm x`. Where this is not the
// text itself, both are judged, and no narrower allow rule matches either.
func asShellsRead(text string) string {
	text = strings.ReplaceAll(text, "\r", "\n")
	if !strings.Contains(text, "#") {
		return text
	}
	return joinedComment.ReplaceAllString(text, "$1\n")
}

// joinedComment is a line that may end in a comment and ends in a backslash.
// Within quotes it is none; then only what is quoted is changed.
var joinedComment = regexp.MustCompile("(?m)((?:^|[ \\t;&|()<>`])#.*?)\\\\+$\\n")
