package permissions

import (
	"slices"
	"strings"
)

// steering are variables whose value is a command, or says which one runs: with
// them a harmless command runs anything.
var steering = []string{
	"PATH", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "PS4", "ZDOTDIR",
	"PROMPT_COMMAND", "VISUAL", "BROWSER", "SHELL", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND",
	"GIT_EXEC_PATH", "LESSOPEN", "LESSCLOSE", "PERL5LIB", "PERL5DB", "RUBYLIB", "NODE_PATH", "GOFLAGS",
	"MAKEFLAGS", "RUSTC", "CC", "CXX", "LD",
}

// steeringParts are how others of them begin or end.
var (
	steeringPrefixes = []string{"LD_", "DYLD_", "GIT_CONFIG", "PYTHON", "BASH_FUNC_"}
	steeringSuffixes = []string{
		"PAGER", "EDITOR", "_COMMAND", "ASKPASS", "_OPTIONS", "OPT", "_WRAPPER", "_SHELL",
	}
)

// steers reports whether a variable's value may run or replace a command.
func steers(name string) bool {
	name = strings.TrimSuffix(name, "+")
	return slices.Contains(steering, name) ||
		slices.ContainsFunc(steeringPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(steeringSuffixes, func(p string) bool { return strings.HasSuffix(name, p) })
}
