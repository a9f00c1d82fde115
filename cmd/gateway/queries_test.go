package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// queriesOf are the expressions of the shipped alerts and dashboard.
func queriesOf(t *testing.T) []string {
	t.Helper()
	var rules struct {
		Spec struct {
			Groups []struct{ Rules []struct{ Expr string } }
		}
	}
	require.NoError(t, yaml.Unmarshal(readDeploy(t, "components/monitoring/prometheusrule.yaml"), &rules))
	var out []string
	for _, group := range rules.Spec.Groups {
		for _, rule := range group.Rules {
			out = append(out, rule.Expr)
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	require.NoError(t, json.Unmarshal(readDeploy(t, "components/monitoring/dashboard.json"), &dashboard))
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			out = append(out, target.Expr)
		}
	}
	require.Greater(t, len(out), 60)
	return out
}

// TestAlertsAndDashboardAskForMetricsThatThereAre after the mission has run.
func TestAlertsAndDashboardAskForMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	t.Run("mission", func(t *testing.T) { runMissions(t, s) })
	exposed := map[string]bool{}
	for line := range strings.Lines(scraped(t, s.base)) {
		if name := regexp.MustCompile(`^[a-z_]+`).FindString(line); name != "" {
			exposed[name] = true
		}
	}
	// Recorded names have colons, so \b keeps them out.
	metric := regexp.MustCompile(`(?:^|[^:a-z_])((?:gateway|process|go)_[a-z_]+)\b`)
	asked := map[string]bool{}
	for _, query := range queriesOf(t) {
		for _, match := range metric.FindAllStringSubmatch(query, -1) {
			require.True(t, exposed[match[1]], "%s: /metrics has no %s", query, match[1])
			asked[match[1]] = true
		}
	}
	for name := range exposed {
		name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		if strings.HasPrefix(name, "gateway_") {
			require.True(t, asked[name] || asked[name+"_bucket"] || asked[name+"_count"], "nobody looks at %s", name)
		}
	}
}
