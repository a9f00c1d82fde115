package permissions

import "strings"

// textGlob matches text: `*` is any text, everything else is itself.
type textGlob struct {
	pieces []string // between the stars
	bare   []string // the pattern without its trailing " *"; nil: it has none
}

// newTextGlob reads one alternative of a pattern.
func newTextGlob(alt string) textGlob {
	g := textGlob{pieces: splitStars(alt)}
	last := len(g.pieces) - 1
	if last > 0 && g.pieces[last] == "" && strings.HasSuffix(g.pieces[last-1], " ") {
		g.bare = append(g.bare, g.pieces[:last]...)
		g.bare[last-1] = strings.TrimSuffix(g.bare[last-1], " ")
	}
	return g
}

// splitStars cuts at unescaped stars, runs of them being one, and unescapes.
func splitStars(alt string) []string {
	var pieces []string
	var b strings.Builder
	for i := 0; i < len(alt); i++ {
		switch c := alt[i]; {
		case c == '*':
			if i > 0 && alt[i-1] == '*' && b.Len() == 0 && len(pieces) > 0 {
				continue
			}
			pieces = append(pieces, b.String())
			b.Reset()
		case c == '\\' && i+1 < len(alt) && isEscapable(alt[i+1]):
			i++
			b.WriteByte(alt[i])
		default:
			b.WriteByte(c)
		}
	}
	return append(pieces, b.String())
}

// match reports whether the whole text fits.
func (g textGlob) match(text string) bool {
	return matchPieces(g.pieces, text) || g.bare != nil && matchPieces(g.bare, text)
}

// matchPieces finds the pieces in order, each as early as possible: with `*`
// alone between them that is enough, and it never goes back.
func matchPieces(pieces []string, text string) bool {
	last := len(pieces) - 1
	if last == 0 {
		return text == pieces[0]
	}
	text, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return false
	}
	for _, piece := range pieces[1:last] {
		_, rest, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = rest
	}
	return strings.HasSuffix(text, pieces[last])
}
