package sessions

import (
	"fmt"
	"strings"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// tenantRules are a tenant's settings as decisions need them, made once for
// each value of the settings.
type tenantRules struct {
	settings *tenants.Settings
	hooks    []scheduler.Hook // that calls are put to
	// chosen is consulted before the rules of any session, defaults behind them:
	// what nobody chose names itself only where no rule of anybody's does.
	chosen, defaults *permissions.Policy
}

// around is a session's policy between the tenant's.
func (t *tenantRules) around(p *permissions.Policy) *permissions.Policy {
	return permissions.Join(t.chosen, p, t.defaults)
}

// tenantRules are in force for the tenant now. They are read anew for every
// command and never kept with a document, so that a change holds from the next
// decision on.
func (s *Service) tenantRules(tenant string) (*tenantRules, error) {
	set := s.settings(tenant)
	if kept, ok := s.tenants.Get(tenant); ok && kept.settings == set {
		return kept, nil
	}
	rules, err := compileTenant(set)
	if err != nil {
		return nil, fmt.Errorf("rules of tenant %s: %w", tenant, err)
	}
	rules.hooks = preToolUse(set)
	s.tenants.Add(tenant, rules)
	return rules, nil
}

// compileTenant compiles what a tenant wrote and what it protects.
func compileTenant(set *tenants.Settings) (*tenantRules, error) {
	written := permissions.Origin{Source: permissions.SourceTenant, Rules: permissions.Rules(set.Rules)}
	paths, chosen := set.Protected()
	protected := permissions.Origin{Source: permissions.SourceTenant, Rules: protection(paths), SeenOnly: !chosen}
	if chosen {
		p, err := permissions.Compile(written, protected)
		return &tenantRules{settings: set, chosen: p}, err
	}
	p, err := permissions.Compile(written)
	if err != nil {
		return nil, err
	}
	defaults, err := permissions.Compile(protected)
	return &tenantRules{settings: set, chosen: p, defaults: defaults}, err
}

// protection denies reading and writing of paths.
func protection(paths []string) permissions.Rules {
	var r permissions.Rules
	for _, p := range paths {
		glob := anywhere(p)
		r.Deny = append(r.Deny, "read("+glob+")", "write("+glob+")")
	}
	return r
}

// anywhere is a protected path as the subject of a rule: a relative one is
// protected in every directory.
func anywhere(p string) string {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
		return p
	}
	return "/**/" + strings.TrimPrefix(p, "**/")
}

// CheckTenantRules names the patterns and paths of a tenant's settings that
// can't be used.
func CheckTenantRules(set *tenants.Settings) []Field {
	var wrong fields
	if p := ruleProblem("/rules", permissions.Check(permissions.Rules(set.Rules))); p != nil {
		wrong = append(wrong, p.Fields...)
	}
	paths, _ := set.Protected()
	for i, path := range paths {
		if err := permissions.Check(protection([]string{path})); path == "" || err != nil {
			wrong.add(fmt.Sprintf("/protected_paths/%d", i), "is not a path pattern")
		}
	}
	return wrong
}
