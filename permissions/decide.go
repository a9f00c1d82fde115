package permissions

// Denied judges a call by the deny tier alone, which comes before anything else
// about the call is known to be right. It reports whether a rule denies it.
func (p *Policy) Denied(a *Analysis) (Decision, bool) { return p.about(a).denied(a) }

func (p *Policy) denied(a *Analysis) (Decision, bool) {
	if a.gateway {
		return p.deniedGateway(a)
	}
	var best hit
	for i := range a.facets {
		f := &a.facets[i]
		best = earlier(best, p.find(TierDeny, a.names(f), f.matches))
		if f.fog == overflow {
			best = earlier(best, p.suspect(TierDeny, a.names(f), f.couldApply))
		}
	}
	return best.decision(Deny, TierDeny), best.rule != nil
}

// deniedGateway: the gateway's own tools have no subjects and no pseudo-tool;
// a deny rule's tool glob is all that counts.
func (p *Policy) deniedGateway(a *Analysis) (Decision, bool) {
	h := p.find(TierDeny, names{tools: a.looseNames}, func(*rule, string) bool { return true })
	return h.decision(Deny, TierDeny), h.rule != nil
}

// Decide judges a call: deny, then ask, then allow, then the mode. Mode plan
// decides as default: its restrictions are deny rules that the policy holds.
// Where a narrower deny rule can't see a subject and asks instead, the decision
// names that rule with the tier ask; where a command can't be judged at all and
// no rule is about it, tier and source are the mode's.
func (p *Policy) Decide(a *Analysis, m Mode) Decision {
	p = p.about(a)
	if d, denied := p.denied(a); denied {
		return d
	}
	if a.gateway {
		return Decision{Effect: Allow, Tier: TierMode, Source: SourceMode}
	}
	if d, asks := p.asks(a); asks {
		return d
	}
	return p.permits(a, m)
}

// asks looks for an ask rule, then for rules that the fog could hide a match of.
func (p *Policy) asks(a *Analysis) (Decision, bool) {
	var rule, hidden hit
	densest := seen
	for i := range a.facets {
		f := &a.facets[i]
		densest = max(densest, f.fog)
		rule = earlier(rule, p.find(TierAsk, a.names(f), f.matches))
		if rule.rule == nil && (f.fog > seen || f.tree) {
			hidden = earlier(hidden, p.hidden(TierDeny, a, f))
			hidden = earlier(hidden, p.hidden(TierAsk, a, f))
		}
	}
	if rule.rule == nil {
		rule = hidden
	}
	if rule.rule == nil && densest >= unparsed {
		return Decision{Effect: Ask, Tier: TierMode, Source: SourceMode}, true
	}
	return rule.decision(Ask, TierAsk), rule.rule != nil
}

// hidden finds a rule that might match what can't be seen of a facet.
func (p *Policy) hidden(t Tier, a *Analysis, f *facet) hit {
	var best hit
	for _, n := range a.foggyNames(f) {
		best = earlier(best, p.suspect(t, n, f.couldApply))
	}
	return best
}

// permits folds what allow rules and the mode say of each facet. A call has at
// least one that is not a floor.
func (p *Policy) permits(a *Analysis, m Mode) Decision {
	var d Decision
	for i := range a.facets {
		f := &a.facets[i]
		if f.role == floor {
			continue
		}
		if one := p.permit(a, f, m); d.Effect == "" || one.Effect == Ask && d.Effect == Allow {
			d = one
		}
	}
	return d
}

func (p *Policy) permit(a *Analysis, f *facet, m Mode) Decision {
	n := names{tools: a.strictNames, pseudo: a.pseudo, extra: f.pseudo}
	if h := p.find(TierAllow, n, f.allows); h.rule != nil {
		return h.decision(Allow, TierAllow)
	}
	return Decision{Effect: m.effect(f.kind), Tier: TierMode, Source: SourceMode}
}

func earlier(a, b hit) hit {
	if b.before(a) {
		return b
	}
	return a
}

func (h hit) decision(e Effect, t Tier) Decision {
	if h.rule == nil {
		return Decision{}
	}
	return Decision{Effect: e, Tier: t, Pattern: h.rule.pattern, Source: h.rule.source}
}
