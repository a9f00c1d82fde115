package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxOutputLines is how many lines an output may have before it is put aside
// like one that is over its characters: line-heavy listings cost a model more
// than their characters say.
const MaxOutputLines = 1000

// limit cuts what a host sent to the tool's limit. An output that is over it is
// stored whole and replaced by an excerpt with a reference.
func (t *transition) limit(i int, text string) (shown, ref string) {
	c := &t.b.Calls[i]
	c.Size = utf8.RuneCountInString(text)
	limit := t.s.ToolOutputChars
	if tool := t.env.Tools.Lookup(c.Tool); tool != nil && tool.OutputLimit != 0 {
		limit = tool.OutputLimit
	}
	if limit == Unlimited || c.Size <= limit && lines(text) <= MaxOutputLines {
		return text, ""
	}
	ref = OutputRef(t.b.Number, i)
	t.fx.Stored = append(t.fx.Stored, StoredOutput{Ref: ref, Text: text})
	return excerpt(ref, c.Size, text, limit), ref
}

// OutputRef names the stored output of a call.
func OutputRef(batch uint64, position int) string { return fmt.Sprintf("out_%d_%d", batch, position) }

// offload gives every output of a batch that is over its limit an equal share;
// what small ones don't need goes to the others. Only outputs that the host
// sent are candidates: an entry into plan mode never is.
func (t *transition) offload() {
	var candidates, sizes []int
	sum := 0
	for i := range t.b.Calls {
		if t.b.Calls[i].Report != "" {
			size := utf8.RuneCountInString(t.b.Calls[i].Result.Output)
			candidates, sizes, sum = append(candidates, i), append(sizes, size), sum+size
		}
	}
	if sum <= t.s.BatchOutputChars {
		return
	}
	share := fillLevel(sizes, t.s.BatchOutputChars)
	for n, i := range candidates {
		if sizes[n] > share {
			t.putAside(i, share)
		}
	}
}

// putAside replaces an output in the next request; the result stays as it is.
func (t *transition) putAside(i, share int) {
	c := t.touch(i)
	ref, text := OutputRef(t.b.Number, i), c.Result.Output
	if c.Result.OutputRef == nil {
		t.fx.Stored = append(t.fx.Stored, StoredOutput{Ref: ref, Text: text})
	} else {
		_, text, _ = strings.Cut(text, "\n") // the note of the first cut
	}
	c.Rendered = &Rendered{Output: excerpt(ref, c.Size, text, share), Ref: ref}
	t.fx.Offloaded = append(t.fx.Offloaded, Offload{Position: i, Ref: ref, Size: c.Size})
}

// fillLevel is the share at which sizes, each cut to it, fill the budget.
func fillLevel(sizes []int, budget int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	for n, size := range sorted {
		share := budget / (len(sorted) - n)
		if size > share {
			return share
		}
		budget -= size
	}
	return budget
}

// excerpt is what the model reads of an output that is stored elsewhere: where
// it is, how to page through it, and the first fifth and the last four fifths
// of the budget, cut at line ends.
func excerpt(ref string, size int, text string, budget int) string {
	head := firstLines(text, budget/5, MaxOutputLines/5)
	tail := lastLines(text[len(head):], budget-budget/5, MaxOutputLines-MaxOutputLines/5)
	out := fmt.Sprintf("[%d characters, too long to show whole; stored as %s. Page through it with read_output {\"ref\": %q, \"offset\": 0}.]\n",
		size, ref, ref)
	if len(head)+len(tail) == len(text) {
		return out + text
	}
	return out + endLine(head) + "[…]\n" + tail
}

func endLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// firstLines is the start of s, at most so many characters and lines, cut at a
// line's end where that leaves at least half of it.
func firstLines(s string, chars, maxLines int) string {
	cut := runeOffset(s, chars)
	for at, n := 0, 0; n < maxLines; n++ {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			break
		}
		if at += next + 1; n == maxLines-1 && at < cut {
			return s[:at]
		}
	}
	if cut == len(s) {
		return s
	}
	if end := strings.LastIndexByte(s[:cut], '\n'); end >= cut/2 {
		return s[:end+1]
	}
	return s[:cut]
}

// lastLines is the end of s, at most so many characters and lines, beginning
// at a line's start where that leaves at least half of it.
func lastLines(s string, chars, maxLines int) string {
	skip := utf8.RuneCountInString(s) - chars
	from := 0
	if skip > 0 {
		from = runeOffset(s, skip)
		if end := strings.IndexByte(s[from:], '\n'); end >= 0 && end < len(s[from:])/2 && s[from-1] != '\n' {
			from += end + 1
		}
	}
	for extra := lines(s[from:]) - maxLines; extra > 0; extra-- {
		from += strings.IndexByte(s[from:], '\n') + 1
	}
	return s[from:]
}

// runeOffset is where in s its n-th character begins; its length when it is shorter.
func runeOffset(s string, n int) int {
	for at := range s {
		if n == 0 {
			return at
		}
		n--
	}
	return len(s)
}
