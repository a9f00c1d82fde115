package main

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// unknownSettings are the variables of an environment that look like settings
// and are none of any command: most are misspelt, and what they were to set has
// its default. They are no reason not to start: a cluster may put variables of
// its own there for a service called gateway.
func unknownSettings(grammar *kong.Application, environment []string) []string {
	known := make(map[string]bool)
	note(grammar.Node, known)
	var unknown []string
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, envPrefix+"_") && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// note adds the variables of a command and those below it.
func note(n *kong.Node, known map[string]bool) {
	for _, f := range n.Flags {
		for _, name := range f.Envs {
			known[name] = true
		}
	}
	for _, child := range n.Children {
		note(child, known)
	}
}

// warnOfUnknown names variables; their values may be secret.
func warnOfUnknown(log *slog.Logger, names []string) {
	if len(names) > 0 {
		log.Warn("variables look like settings and are none", slog.Any("names", names))
	}
}
