package permissions

import "slices"

// strictness lists the modes from the strictest on.
var strictness = []Mode{ModePlan, ModeDefault, ModeAutoEdit, ModeYolo}

// Valid reports whether m is one of the four modes.
func (m Mode) Valid() bool { return slices.Contains(strictness, m) }

// Strictest returns the strictest of the modes; without any, ModeYolo, which
// restricts nothing. A mode that is none of the four counts as ModePlan.
func Strictest(ms ...Mode) Mode {
	least := len(strictness) - 1
	for _, m := range ms {
		least = min(least, max(slices.Index(strictness, m), 0))
	}
	return strictness[least]
}

// Valid reports whether k is one of the Agent Client Protocol's kinds.
func (k Kind) Valid() bool {
	switch k {
	case KindRead, KindEdit, KindDelete, KindMove, KindSearch, KindExecute,
		KindThink, KindFetch, KindSwitchMode, KindOther:
		return true
	}
	return false
}

// effect is what a mode lets happen to a call that no rule matched. Plan mode
// is as default here; what it forbids comes as deny rules.
func (m Mode) effect(k Kind) Effect {
	switch k {
	case KindRead, KindSearch, KindThink:
		return Allow
	case KindFetch:
		return allowIf(m == ModeAutoEdit || m == ModeYolo)
	case KindEdit, KindDelete, KindMove:
		return allowIf(m == ModeAutoEdit || m == ModeYolo)
	case KindExecute, KindSwitchMode, KindOther:
	}
	return allowIf(m == ModeYolo)
}

func allowIf(ok bool) Effect {
	if ok {
		return Allow
	}
	return Ask
}

// Pseudo-tools: names that rules use for every tool of some kinds.
const (
	pseudoRead    = "read"
	pseudoWrite   = "write"
	pseudoExecute = "execute"
	pseudoFetch   = "fetch"
	pseudoOther   = "other"
)

// IsPseudoTool reports whether name is one of read, write, execute, fetch and
// other. A declared tool of such a name must have its kind: PseudoTool(kind).
func IsPseudoTool(name string) bool {
	switch name {
	case pseudoRead, pseudoWrite, pseudoExecute, pseudoFetch, pseudoOther:
		return true
	}
	return false
}

// PseudoTool is the pseudo-tool of a kind; think has none. What is no kind is
// other.
func PseudoTool(k Kind) string {
	switch k {
	case KindRead, KindSearch:
		return pseudoRead
	case KindEdit, KindDelete, KindMove:
		return pseudoWrite
	case KindExecute:
		return pseudoExecute
	case KindFetch:
		return pseudoFetch
	case KindThink:
		return ""
	case KindSwitchMode, KindOther:
	}
	return pseudoOther
}
