package permissions

import (
	"fmt"
	"strings"
)

// RuleError is one pattern that can't be used, or that is one too many.
type RuleError struct {
	Tier    Tier
	Index   int // in its list
	Pattern string
	Problem string
}

// Error names the rule and the problem.
func (e RuleError) Error() string {
	return fmt.Sprintf("%s[%d] %q: %s", e.Tier, e.Index, e.Pattern, e.Problem)
}

// RuleErrors are all the rules of a set that can't be used, in their order.
type RuleErrors []RuleError

// Error lists the problems, one a line.
func (e *RuleErrors) Error() string {
	lines := make([]string, len(*e))
	for i, r := range *e {
		lines[i] = r.Error()
	}
	return strings.Join(lines, "\n")
}

// Check reports whether all rules can be used. The error is a *RuleErrors.
func Check(r Rules) error {
	_, err := newLayer(Origin{Rules: r})
	return err
}

// lists are the three lists with their tiers, in the order of the tiers.
func (r Rules) lists() [3]tierRules {
	return [3]tierRules{{TierDeny, r.Deny}, {TierAsk, r.Ask}, {TierAllow, r.Allow}}
}

type tierRules struct {
	tier     Tier
	patterns []string
}

// compiler turns one set of rules into a layer.
type compiler struct {
	source Source
	layer  layer
	rules  int
	bytes  int
	errs   RuleErrors
}

// newLayer compiles a set; an unusable rule makes the whole set unusable.
func newLayer(o Origin) (*layer, error) {
	c := &compiler{source: o.Source}
	c.layer.seenOnly, c.layer.sparesReading = o.SeenOnly, o.SparesReading
	for _, list := range o.Rules.lists() {
		for i, pattern := range list.patterns {
			e := RuleError{Tier: list.tier, Index: i, Pattern: excerpt(pattern)}
			if e.Problem = c.add(list.tier, i, pattern); e.Problem != "" {
				c.errs = append(c.errs, e)
			}
			if c.full() {
				return nil, &c.errs
			}
		}
	}
	if len(c.errs) > 0 {
		return nil, &c.errs
	}
	return &c.layer, nil
}

// full reports whether what follows would only repeat the last problem.
func (c *compiler) full() bool {
	return c.rules > MaxRules || c.bytes > MaxExpandedBytes
}

// add compiles one pattern into its list and returns the problem, if any.
func (c *compiler) add(tier Tier, order int, pattern string) string {
	if c.rules++; c.rules > MaxRules {
		return fmt.Sprintf("more than %d rules", MaxRules)
	}
	r, problem := parsePattern(pattern)
	if problem != "" {
		return problem
	}
	if c.bytes += r.bytes; c.bytes > MaxExpandedBytes {
		return "the braces of these rules expand to too much text"
	}
	r.order, r.source = order, c.source
	c.layer.tier(tier).add(r)
	return ""
}

// excerpt keeps errors short where a pattern is far too long.
func excerpt(pattern string) string {
	if len(pattern) <= MaxPatternBytes {
		return pattern
	}
	return strings.ToValidUTF8(pattern[:MaxPatternBytes], "") + "…"
}
