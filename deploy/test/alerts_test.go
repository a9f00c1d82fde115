package deploy_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// scenario is a case of testdata/alerts.yaml.
type scenario struct {
	Alert  string            `json:"alert"`
	Series map[string]string `json:"series"`
	Labels map[string]string `json:"labels"`
	Fires  string            `json:"fires"`
	Clears string            `json:"clears"`
}

// rulesFile writes the rules as Prometheus reads them.
func rulesFile(t *testing.T, rule *monitoringv1.PrometheusRule) string {
	t.Helper()
	raw, err := yaml.Marshal(rule.Spec)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

func promtool(t *testing.T, args ...string) {
	t.Helper()
	program(t, "promtool")
	out, err := exec.CommandContext(t.Context(), "promtool", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// program skips a test whose program is not installed; in CI a skip fails.
func program(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

func TestPrometheusTakesTheRules(t *testing.T) {
	t.Parallel()
	promtool(t, "check", "rules", rulesFile(t, render(t, "prod").rules["gateway"]))
}

func TestEveryAlertFiresAndClears(t *testing.T) {
	t.Parallel()
	rule := render(t, "prod").rules["gateway"]
	alerts := alertsOf(rule)
	raw, err := os.ReadFile("testdata/alerts.yaml")
	require.NoError(t, err)
	var scenarios []scenario
	require.NoError(t, yaml.UnmarshalStrict(raw, &scenarios))
	var tests []map[string]any
	for _, s := range scenarios {
		alert, known := alerts[s.Alert]
		require.True(t, known, s.Alert)
		delete(alerts, s.Alert)
		tests = append(tests, s.test(alert))
	}
	require.Empty(t, alerts, "every alert has a scenario")

	file, err := json.Marshal(map[string]any{"rule_files": []string{rulesFile(t, rule)}, "evaluation_interval": "1m", "tests": tests})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "tests.yaml") // JSON is YAML
	require.NoError(t, os.WriteFile(name, file, 0o600))
	promtool(t, "test", "rules", name)
}

func (s scenario) test(alert monitoringv1.Rule) map[string]any {
	var series []map[string]string
	for name, values := range s.Series {
		series = append(series, map[string]string{"series": name, "values": values})
	}
	labels := map[string]string{"severity": alert.Labels["severity"]}
	for name, value := range s.Labels {
		labels[name] = value
	}
	return map[string]any{
		"interval": "1m", "input_series": series,
		"alert_rule_test": []map[string]any{
			{"eval_time": s.Fires, "alertname": s.Alert, "exp_alerts": []map[string]any{
				{"exp_labels": labels, "exp_annotations": alert.Annotations},
			}},
			{"eval_time": s.Clears, "alertname": s.Alert, "exp_alerts": []any{}},
		},
	}
}

func alertsOf(rule *monitoringv1.PrometheusRule) map[string]monitoringv1.Rule {
	alerts := map[string]monitoringv1.Rule{}
	for _, group := range rule.Spec.Groups {
		for _, r := range group.Rules {
			if r.Alert != "" {
				alerts[r.Alert] = r
			}
		}
	}
	return alerts
}

func TestEveryAlertLeadsToAChapterOfTheRunbook(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	anchors := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(doc), -1) {
		slug := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(match[1]), "")
		anchors[strings.ReplaceAll(slug, " ", "-")] = true
	}
	for name, alert := range alertsOf(render(t, "prod").rules["gateway"]) {
		require.Contains(t, []string{"page", "ticket"}, alert.Labels["severity"], name)
		require.NotEmpty(t, alert.Annotations["summary"], name)
		file, anchor, _ := strings.Cut(alert.Annotations["runbook_url"], "#")
		require.True(t, strings.HasSuffix(file, "/docs/operations.md"), name)
		require.True(t, anchors[anchor], "%s: there is no chapter %q", name, anchor)
	}
}
