package planmode

import "github.com/session-gateway/gateway/permissions"

// denyPolicy is compiled once: it is the same for every session.
var denyPolicy = mustCompile()

func mustCompile() *permissions.Policy {
	p, err := permissions.Compile(permissions.Origin{
		Source: permissions.SourcePlanMode,
		Rules:  permissions.Rules{Deny: DenyRules(State{Active: true})},
	})
	if err != nil { // the patterns are constants of this package
		panic(err)
	}
	return p
}
