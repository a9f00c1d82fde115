package permissions

import (
	"regexp"
	"strings"
)

// asShellsRead is the text as shells read it where the parser does not. Each
// difference hides a command or a file from the one or the other:
//
//   - the parser drops a carriage return before a line's end, also after a
//     backslash;
//   - it lets a backslash join a comment to the next line: `true # \`, `rm x`;
//   - at the end of the text a backslash is dropped by some shells: `cat .env\`;
//   - to a shell without $'…', \' ends the quote: `true $'\'; rm x #'`.
//
// Where this is not the text itself, both are judged, and no narrower allow rule
// matches either.
func asShellsRead(text string) string {
	text = strings.ReplaceAll(text, "\r", "\n")
	if strings.Contains(text, "#") {
		text = joinedComment.ReplaceAllString(text, "$1\n")
	}
	if strings.Contains(text, "$'") && strings.Contains(text, `\'`) {
		text = strings.ReplaceAll(text, "$'", "'")
	}
	bare := strings.TrimRight(text, `\`)
	if (len(text)-len(bare))%2 == 1 {
		return bare
	}
	return text
}

// joinedComment is a line that may end in a comment and ends in a backslash.
// Within quotes it is none; then only what is quoted is changed.
var joinedComment = regexp.MustCompile("(?m)((?:^|[ \\t;&|()<>`])#.*?)\\\\+$\\n")
