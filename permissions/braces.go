package permissions

import "strings"

// braceSeq is text with groups: what stands one after the other.
type braceSeq []bracePart

// bracePart is a text or, with options, a group of which one is taken.
type bracePart struct {
	text    string
	options []braceSeq
}

// parseBraces reads a pattern's braces. A group without a comma is literal, as
// in a shell, so that `{}` and `${HOME}` stay what they are. The second result
// is a problem or empty.
func parseBraces(s string) (braceSeq, string) {
	p := &braceParser{src: s}
	seq := p.seq(0)
	if p.problem == "" && p.pos < len(s) {
		p.problem = "'}' without '{' (write \\} for the character)"
	}
	return seq, p.problem
}

type braceParser struct {
	src     string
	pos     int
	problem string
}

// seq reads up to the end of the text or of the option that it stands in.
func (p *braceParser) seq(depth int) braceSeq {
	var seq braceSeq
	start := p.pos
	for p.pos < len(p.src) && p.problem == "" {
		c := p.src[p.pos]
		if c == '}' || c == ',' && depth > 0 {
			break
		}
		if c == '{' {
			seq = append(seq, bracePart{text: p.src[start:p.pos]}, p.group(depth))
			start = p.pos
			continue
		}
		p.skip(c)
	}
	return append(seq, bracePart{text: p.src[start:p.pos]})
}

// skip goes past one character; an escaped one counts with its backslash.
func (p *braceParser) skip(c byte) {
	p.pos++
	if c != '\\' {
		return
	}
	if p.pos == len(p.src) {
		p.problem = "a backslash at the end escapes nothing"
		return
	}
	p.pos++
}

func (p *braceParser) group(depth int) bracePart {
	p.pos++
	var options []braceSeq
	for {
		options = append(options, p.seq(depth+1))
		if p.problem != "" {
			return bracePart{}
		}
		if p.pos == len(p.src) {
			p.problem = "'{' without '}' (write \\{ for the character)"
			return bracePart{}
		}
		p.pos++
		if p.src[p.pos-1] == '}' {
			return newGroup(options)
		}
	}
}

func newGroup(options []braceSeq) bracePart {
	if len(options) > 1 {
		return bracePart{options: options}
	}
	literal := append(braceSeq{{text: `\{`}}, options[0]...)
	return bracePart{options: []braceSeq{append(literal, bracePart{text: `\}`})}}
}

// count is the number of alternatives, without making them; it stops growing
// just beyond MaxAlternatives.
func (s braceSeq) count() int {
	n := 1
	for _, part := range s {
		if len(part.options) == 0 {
			continue
		}
		sum := 0
		for _, o := range part.options {
			sum = min(sum+o.count(), MaxAlternatives+1)
		}
		n = min(n*sum, MaxAlternatives+1)
	}
	return n
}

// expand makes the alternatives; call it only after count.
func (s braceSeq) expand() []string {
	out := []string{""}
	for _, part := range s {
		out = cross(out, part.expand())
	}
	return out
}

func (p bracePart) expand() []string {
	if len(p.options) == 0 {
		return []string{p.text}
	}
	var out []string
	for _, o := range p.options {
		out = append(out, o.expand()...)
	}
	return out
}

func cross(heads, tails []string) []string {
	if len(tails) == 1 && tails[0] == "" {
		return heads
	}
	out := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out
}

// isEscapable reports whether a backslash before c makes it literal in text.
func isEscapable(c byte) bool { return strings.IndexByte(`*?[]{},()\ `, c) >= 0 }
