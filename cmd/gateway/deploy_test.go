package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/session-gateway/gateway/tenants"
)

func readDeploy(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../deploy/k8s", name))
	require.NoError(t, err)
	return raw
}

// deploySettings are the variables of gateway.env.
func deploySettings(t *testing.T) map[string]string {
	t.Helper()
	settings := make(map[string]string)
	for line := range strings.Lines(string(readDeploy(t, "base/gateway.env"))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		require.True(t, ok, line)
		settings[name] = value
	}
	return settings
}

// serveEnvironment are the variables that `gateway serve` reads.
func serveEnvironment(t *testing.T) map[string]bool {
	t.Helper()
	k, err := kong.New(&commandLine{}, options()...)
	require.NoError(t, err)
	names := make(map[string]bool)
	for _, node := range k.Model.Children {
		if node.Name != "serve" {
			continue
		}
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				names[name] = true
			}
		}
	}
	require.NotEmpty(t, names)
	return names
}

func TestTheManifestsNameEverySettingAndNothingElse(t *testing.T) {
	t.Parallel()
	named := make(map[string]bool)
	for file, pattern := range map[string]string{
		"base/gateway.env":     `(?m)^(?:# )?(GATEWAY_[A-Z_]+)=`,
		"base/deployment.yaml": `name: (GATEWAY_[A-Z_]+)`,
	} {
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(readDeploy(t, file)), -1) {
			named[match[1]] = true
		}
	}
	known := serveEnvironment(t)
	for name := range named {
		require.True(t, known[name], "deploy/k8s/base: %s is no setting", name)
	}
	for name := range known {
		require.True(t, named[name], "deploy/k8s/base/gateway.env: name %s, commented out if it has its default", name)
	}
}

// Not parallel: it sets the environment of the process.
func TestTheSettingsOfTheManifestsAreValidTogether(t *testing.T) {
	for name, value := range deploySettings(t) {
		t.Setenv(name, value)
	}
	t.Setenv("GATEWAY_REDIS", "rediss://redis.example:6380/0")
	_, err := parseServe(t)
	require.NoError(t, err)
}

// TestWhatIsCommentedOutCanBeUsedAsItStands, all of it at once. Not parallel: it
// sets the environment of the process.
func TestWhatIsCommentedOutCanBeUsedAsItStands(t *testing.T) {
	for _, match := range regexp.MustCompile(`(?m)^# (GATEWAY_[A-Z_]+)=(.*)$`).FindAllStringSubmatch(string(readDeploy(t, "base/gateway.env")), -1) {
		t.Setenv(match[1], match[2])
	}
	cfg, err := parseServe(t, "--dev")
	require.NoError(t, err)
	require.Positive(t, cfg.TenantLimits.OpenStreams)
}

func TestTheExampleSecretIsRefusedUntilItsKeysAreReplaced(t *testing.T) {
	t.Parallel()
	var secret struct {
		StringData map[string]string
	}
	require.NoError(t, yaml.Unmarshal(readDeploy(t, "secrets.example.yaml"), &secret))
	require.NoError(t, Config{Redis: RedisURL(secret.StringData["redis-url"])}.checkRedis())

	file := secret.StringData["tenants.yaml"]
	_, err := tenants.Parse(strings.NewReader(file))
	require.ErrorContains(t, err, "sha256")

	file = strings.Replace(file, "REPLACE-WITH-THE-SHA256-OF-A-KEY", tenants.DigestOf("a").String(), 1)
	file = strings.Replace(file, "REPLACE-WITH-THE-SHA256-OF-ANOTHER-KEY", tenants.DigestOf("b").String(), 1)
	list, err := tenants.Parse(strings.NewReader(file))
	require.NoError(t, err)
	d, err := tenants.NewDirectory(list.Tenants...)
	require.NoError(t, err)
	require.Equal(t, 2, d.Len())
}
