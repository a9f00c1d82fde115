package permissions

import "strings"

// Bounds of what is shown of one call.
const (
	// MaxFindings bounds the findings of a call: a command may have hundreds of
	// parts and files, and a person reads a few.
	MaxFindings = 128
	// maxShownBytes bounds each text of a finding; a command may be a megabyte.
	maxShownBytes = MaxPathBytes
)

// Explanation is a decision and what led to it.
type Explanation struct {
	Decision Decision
	Findings []Finding
	Omitted  int // findings beyond MaxFindings
}

// FindingType is what a finding is about.
type FindingType string

// What rules look at.
const (
	FindingPath    FindingType = "path"
	FindingCommand FindingType = "command"
	FindingURL     FindingType = "url"
	FindingNone    FindingType = "none" // the call as such: nothing that it is about can be told
)

// Clarity says how much of a finding rules can see.
type Clarity string

// From what is seen to what is not. Each but the first makes rules ask or deny
// that might be about what is hidden.
const (
	ClaritySeen     Clarity = "seen"
	ClarityUnknown  Clarity = "unknown"  // it is missing, or may be read in other ways
	ClarityOpaque   Clarity = "opaque"   // a command that runs what can't be seen
	ClarityUnparsed Clarity = "unparsed" // no shell would take it
	ClarityOverflow Clarity = "overflow" // beyond a limit
)

// Finding is one thing that rules look at: a subject, a part of a command, a
// redirect, a file argument. Each is judged for itself and the strictest counts.
type Finding struct {
	Type    FindingType
	Text    string   // as it is written
	As      string   // the pseudo-tool that it is judged under
	Views   []string // what deny and ask rules are compared with
	Clarity Clarity
	// Guards says that only deny and ask rules look at it: an argument of a
	// command is a file for them, but allowing the file allows no command.
	Guards   bool
	Decision *Decision // nil: it stands in no way
}

// Explain is Decide with its reasons. Each finding is judged by Decide too, as if
// the call were about nothing else, so that there is one evaluation.
func (p *Policy) Explain(a *Analysis, m Mode) Explanation {
	e := Explanation{Decision: p.Decide(a, m), Omitted: max(0, len(a.facets)-MaxFindings)}
	for i := range a.facets[:len(a.facets)-e.Omitted] {
		f := a.finding(&a.facets[i])
		if d := p.Decide(a.only(i), m); d.Effect != "" {
			f.Decision = &d
		}
		e.Findings = append(e.Findings, f)
	}
	return e
}

// only is the analysis of a call that is about one of its facets alone.
func (a *Analysis) only(i int) *Analysis {
	one := *a
	one.facets = a.facets[i : i+1 : i+1]
	return &one
}

func (a *Analysis) finding(f *facet) Finding {
	out := Finding{Type: FindingNone, As: a.pseudo, Clarity: f.fog.clarity(), Guards: f.role == floor}
	if f.pseudo != "" {
		out.As = f.pseudo
	}
	switch {
	case f.form == formPath:
		out.Type, out.Text, out.Views = FindingPath, shown(f.path.first.raw), f.path.views()
	case f.form == formText && len(f.texts) > 0:
		out.Type, out.Text, out.Views = FindingCommand, shown(f.texts[f.written()]), views(f.texts)
		if f.url {
			out.Type = FindingURL
		}
	}
	return out
}

// written is the index of the text as it is written: a URL's is its last.
func (f *facet) written() int {
	if f.url {
		return len(f.texts) - 1
	}
	return 0
}

// views are every text that deny and ask rules compare a path with.
func (s *pathSubject) views() []string {
	var texts []string
	for _, form := range []*pathSubject{s, s.orFolded()} {
		for r := range form.readings() {
			texts = append(texts, r.raw, r.clean, r.abs)
		}
	}
	return views(texts)
}

// views drops what is there twice.
func views(texts []string) []string {
	var out []string
	has := map[string]bool{}
	for _, text := range texts {
		if text = shown(text); !has[text] {
			has[text] = true
			out = append(out, text)
		}
	}
	return out
}

func shown(text string) string {
	if len(text) <= maxShownBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxShownBytes], "") + "…"
}

func (f fog) clarity() Clarity {
	switch f {
	case seen:
		return ClaritySeen
	case unknown:
		return ClarityUnknown
	case opaque:
		return ClarityOpaque
	case unparsed:
		return ClarityUnparsed
	case overflow:
	}
	return ClarityOverflow
}
