package permissions

import (
	"errors"
	"slices"
)

// Policy is a compiled set of rules from one or more sources. It is immutable
// and safe for concurrent use. A nil or zero Policy has no rules.
type Policy struct {
	layers []*layer
}

// layer is one source's rules.
type layer struct {
	deny, ask, allow ruleIndex
	seenOnly         bool
	sparesReading    bool
}

func (l *layer) tier(t Tier) *ruleIndex {
	switch t {
	case TierDeny:
		return &l.deny
	case TierAsk:
		return &l.ask
	case TierAllow, TierMode:
	}
	return &l.allow
}

// Compile compiles sets of rules; the first source's rules come first within
// each tier. The error joins a *RuleErrors for each set that can't be used.
func Compile(origins ...Origin) (*Policy, error) {
	p := &Policy{}
	var errs []error
	for _, o := range origins {
		l, err := newLayer(o)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.layers = append(p.layers, l)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

// Join puts policies one after the other, without compiling them again. Nil
// ones are skipped.
func Join(ps ...*Policy) *Policy {
	joined := &Policy{}
	for _, p := range ps {
		if p != nil {
			joined.layers = append(joined.layers, p.layers...)
		}
	}
	return joined
}

// about is the policy without the rules that spare the call.
func (p *Policy) about(a *Analysis) *Policy {
	spares := func(l *layer) bool { return l.sparesReading }
	if p == nil || !slices.ContainsFunc(p.layers, spares) || !a.readsOnly() {
		return p
	}
	return &Policy{layers: slices.DeleteFunc(slices.Clone(p.layers), spares)}
}

// ruleIndex is one tier of one layer, by tool: a call looks at the rules of its
// own names and at those with wildcards, not at all of them.
type ruleIndex struct {
	byName map[string][]*rule
	globs  []globRule
}

type globRule struct {
	glob string
	rule *rule
}

func (x *ruleIndex) add(r *rule) {
	for _, alt := range r.tools {
		if !isLiteral(alt) {
			x.globs = append(x.globs, globRule{alt, r})
			continue
		}
		if x.byName == nil {
			x.byName = make(map[string][]*rule)
		}
		x.byName[alt] = append(x.byName[alt], r)
	}
}

// names are what a call is looked up under.
type names struct {
	tools  []string // wildcards are matched against these only
	pseudo string   // empty: none
	extra  string   // a second pseudo-tool, of a path within a command
}

// first finds the first rule, in the list's order, that is reached by one of
// the names and fits.
func (x *ruleIndex) first(n names, fits func(r *rule, name string) bool) *rule {
	var best *rule
	consider := func(r *rule, name string) bool {
		if best != nil && r.order >= best.order {
			return true
		}
		if !fits(r, name) {
			return false
		}
		best = r
		return true
	}
	x.eachName(n, consider)
	for _, g := range x.globs {
		i := slices.IndexFunc(n.tools, func(t string) bool { return matchesTool(g.glob, t) })
		if i >= 0 && consider(g.rule, "") {
			break
		}
	}
	return best
}

// eachName offers the rules of each name in order, until consider is done with
// that name.
func (x *ruleIndex) eachName(n names, consider func(*rule, string) bool) {
	offer := func(name string) {
		if name == "" {
			return
		}
		for _, r := range x.byName[name] {
			if consider(r, name) {
				return
			}
		}
	}
	for _, t := range n.tools {
		offer(t)
	}
	offer(n.pseudo)
	offer(n.extra)
}

// hit is a rule that decided, and its place in the policy.
type hit struct {
	layer int
	rule  *rule
}

// before reports whether h comes before o; the zero hit comes last.
func (h hit) before(o hit) bool {
	switch {
	case h.rule == nil || o.rule == nil:
		return h.rule != nil
	case h.layer != o.layer:
		return h.layer < o.layer
	}
	return h.rule.order < o.rule.order
}

// find looks a facet up in one tier of every layer.
func (p *Policy) find(t Tier, n names, fits func(*rule, string) bool) hit {
	return p.search(t, n, fits, false)
}

// suspect is find for rules that could apply to what is not seen.
func (p *Policy) suspect(t Tier, n names, fits func(*rule, string) bool) hit {
	return p.search(t, n, fits, true)
}

func (p *Policy) search(t Tier, n names, fits func(*rule, string) bool, unseen bool) hit {
	if p == nil {
		return hit{}
	}
	for i, l := range p.layers {
		if unseen && l.seenOnly {
			continue
		}
		if r := l.tier(t).first(n, fits); r != nil {
			return hit{i, r}
		}
	}
	return hit{}
}
