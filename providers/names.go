package providers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// namePattern is what a provider accepts as the name of a tool: ASCII letters,
// digits and the extra characters, no longer than the limit.
type namePattern struct {
	extra       string
	limit       int
	letterFirst bool // or an underscore
}

// hashDigits of a name's SHA-256 end a name that had to be cut, so that long
// names which start alike stay apart.
const hashDigits = 8

// WireName gives the name under which a provider knows a tool. A name that the
// provider accepts stays; otherwise each character that it refuses becomes an
// underscore, and a name that is too long is cut and marked with its hash.
func WireName(f Format, name string) string {
	w, ok := wires[f]
	if !ok {
		return name
	}
	return w.names.fit(name)
}

func (p namePattern) fit(name string) string {
	fitted := strings.Map(p.replace, name)
	if fitted == "" || p.letterFirst && !letter(fitted[0]) && fitted[0] != '_' {
		fitted = "_" + fitted
	}
	if len(fitted) <= p.limit {
		return fitted
	}
	sum := sha256.Sum256([]byte(name))
	return fitted[:p.limit-hashDigits-1] + "_" + hex.EncodeToString(sum[:])[:hashDigits]
}

func (p namePattern) replace(r rune) rune {
	if r < 0x80 && letter(byte(r)) || '0' <= r && r <= '9' || strings.ContainsRune(p.extra, r) {
		return r
	}
	return '_'
}

func letter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// Names maps the declared names of a session's tools to a provider's and back.
// The zero value leaves names as they are.
type Names struct {
	format    Format
	canonical map[string]string // by wire name
}

// NameClashError says that a provider would know two tools by one name.
type NameClashError struct {
	Format        Format
	Wire          string
	First, Second string // the declared names
}

// Error names both tools.
func (e *NameClashError) Error() string {
	return fmt.Sprintf("tools %q and %q have the same name %q in format %s", e.First, e.Second, e.Wire, e.Format)
}

// NewNames builds the mapping for the declared names, which are unique. The
// error is a *NameClashError.
func NewNames(f Format, canonical []string) (Names, error) {
	n := Names{format: f, canonical: make(map[string]string, len(canonical))}
	for _, name := range canonical {
		wire := WireName(f, name)
		if first, taken := n.canonical[wire]; taken && first != name {
			return Names{}, &NameClashError{Format: f, Wire: wire, First: first, Second: name}
		}
		n.canonical[wire] = name
	}
	return n, nil
}

// NamesOf is NewNames of tools as they are advertised.
func NamesOf(f Format, tools []ToolSpec) (Names, error) {
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return NewNames(f, names)
}

// Wire gives the provider's name of a declared tool.
func (n Names) Wire(canonical string) string { return WireName(n.format, canonical) }

// Canonical gives the declared name of a tool that a model called. A name that
// no declared tool has on the wire stays as it came.
func (n Names) Canonical(wire string) string {
	if name, ok := n.canonical[wire]; ok {
		return name
	}
	return wire
}
