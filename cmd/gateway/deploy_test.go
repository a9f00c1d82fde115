package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// Not parallel: it sets the environment of the process.
func TestTheSettingsOfTheManifestsAreValidTogether(t *testing.T) {
	for name, value := range deploySettings(t) {
		t.Setenv(name, value)
	}
	t.Setenv("GATEWAY_REDIS", "rediss://redis.example:6380/0")
	_, err := parseServe(t)
	require.NoError(t, err)
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
