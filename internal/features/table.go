package features

import (
	"errors"
	"fmt"
	"strings"
)

// Marks in the README between which the table stands.
const (
	begin = "<!-- features: made from docs/features.yaml by `make generate` -->\n"
	end   = "<!-- /features -->"
)

// ErrNoMarks says that a text has no place for the table.
var ErrNoMarks = errors.New("the text has no marks for the table of features")

// Table is the list as a Markdown table.
func Table(list []Feature) string {
	var b strings.Builder
	b.WriteString("| feature | what it does | shown by |\n|---|---|---|\n")
	for _, f := range list {
		shown := make([]string, len(f.Evidence))
		for i, c := range f.Evidence {
			shown[i] = c.String()
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Name, f.Says, strings.Join(shown, ", "))
	}
	return b.String()
}

// Splice is the text with the table of the list in its place.
func Splice(text string, list []Feature) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	if !ok {
		return "", ErrNoMarks
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", ErrNoMarks
	}
	return before + begin + Table(list) + end + after, nil
}
