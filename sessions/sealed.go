package sessions

import (
	"slices"

	"github.com/session-gateway/gateway/scheduler"
)

// MaxSealed is how many removed tools a session remembers while plan mode is on.
const MaxSealed = MaxTools

// seal judges new declarations while plan mode is on: a name that a tool answers
// to, or answered to before it was removed in the same plan mode, keeps what
// rules see of it. Otherwise a writer could be declared anew as a reader, under
// its name or as somebody's alias. It gives the removed tools that are to be
// remembered, or the tool that would change.
func (d *document) seal(tools ToolSet) (sealed ToolSet, changed string) {
	known := append(slices.Clone(d.sealed), d.tools...)
	was, is := answering(known), answering(tools)
	for _, before := range known {
		if !keeps(before, was, is) {
			return nil, before.Name
		}
		if _, declared := is[before.Name]; !declared && len(sealed) < MaxSealed {
			sealed = append(sealed, before)
		}
	}
	return sealed, ""
}

// keeps says whether every name that a tool answered to is gone or still its own.
func keeps(tool ToolDeclaration, was, is map[string]ToolDeclaration) bool {
	for name, before := range was {
		after, declared := is[name]
		if before.Name == tool.Name && declared && (after.Name != tool.Name || !sameToRules(tool, after)) {
			return false
		}
	}
	return true
}

// answering is the tools by every name that they answer to.
func answering(tools ToolSet) map[string]ToolDeclaration {
	byName := make(map[string]ToolDeclaration, len(tools))
	for _, d := range tools {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			byName[name] = d
		}
	}
	for alias, name := range scheduler.BuiltinAliases() {
		target, registered := byName[name]
		if _, declared := byName[alias]; registered && !declared {
			byName[alias] = target
		}
	}
	return byName
}

// sameToRules says whether rules see the same of two declarations.
func sameToRules(a, b ToolDeclaration) bool {
	return a.Kind == b.Kind && a.ReadOnly == b.ReadOnly && slices.Equal(a.Aliases, b.Aliases) &&
		encode(a.Subjects) == encode(b.Subjects)
}
