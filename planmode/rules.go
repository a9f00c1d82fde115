package planmode

import "github.com/session-gateway/gateway/permissions"

// Shell says what plan mode does with shell commands.
type Shell bool

// What plan mode does with commands.
const (
	ShellDenied   Shell = false // all are denied
	ShellReadOnly Shell = true  // those that provably only read go on to ask and allow rules
)

// policies are DenyRules compiled once: they are the same for every session.
var policies = map[Shell]*permissions.Policy{
	ShellDenied: mustCompile(ShellDenied), ShellReadOnly: mustCompile(ShellReadOnly),
}

func mustCompile(sh Shell) *permissions.Policy {
	p, err := permissions.Compile(permissions.Origin{
		Source:        permissions.SourcePlanMode,
		Rules:         permissions.Rules{Deny: DenyRules(State{Active: true})},
		SparesReading: bool(sh),
	})
	if err != nil { // the patterns are constants of this package
		panic(err)
	}
	return p
}
