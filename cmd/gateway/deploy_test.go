package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	contract "github.com/session-gateway/gateway"
	"github.com/session-gateway/gateway/tenants"
)

// deployment is what of the Deployment these tests speak of.
type deployment struct {
	Spec struct {
		Template struct {
			Spec struct {
				AutomountServiceAccountToken  *bool
				EnableServiceLinks            *bool
				TerminationGracePeriodSeconds int
				SecurityContext               struct{ RunAsNonRoot bool }
				Containers                    []container
			}
		}
	}
}

type container struct {
	Args  []string
	Env   []struct{ Name string }
	Ports []struct {
		Name          string
		ContainerPort int
	}
	StartupProbe, LivenessProbe, ReadinessProbe struct {
		HTTPGet struct{ Path, Port string }
	}
	Lifecycle struct {
		PreStop struct{ Sleep struct{ Seconds int } }
	}
	SecurityContext struct {
		AllowPrivilegeEscalation *bool
		ReadOnlyRootFilesystem   bool
		Capabilities             struct{ Drop []string }
	}
	VolumeMounts []struct{ MountPath string }
}

func readDeploy(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../deploy/k8s", name))
	require.NoError(t, err)
	return raw
}

func readDeployment(t *testing.T) deployment {
	t.Helper()
	var d deployment
	require.NoError(t, yaml.Unmarshal(readDeploy(t, "base/deployment.yaml"), &d))
	require.Len(t, d.Spec.Template.Spec.Containers, 1)
	return d
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
		for _, flag := range node.Flags {
			for _, name := range flag.Envs {
				names[name] = true
			}
		}
	}
	require.NotEmpty(t, names)
	return names
}

func TestTheManifestsSetOnlyWhatTheProgramReads(t *testing.T) {
	t.Parallel()
	known := serveEnvironment(t)
	for name := range deploySettings(t) {
		require.True(t, known[name], "gateway.env: %s is no setting", name)
	}
	for _, env := range readDeployment(t).Spec.Template.Spec.Containers[0].Env {
		require.True(t, known[env.Name], "deployment.yaml: %s is no setting", env.Name)
	}
}

// Not parallel: it sets the environment of the process.
func TestTheSettingsOfTheManifestsAreValidTogether(t *testing.T) {
	for name, value := range deploySettings(t) {
		t.Setenv(name, value)
	}
	t.Setenv("GATEWAY_REDIS", "rediss://redis.example:6380/0")
	d := readDeployment(t).Spec.Template.Spec
	c := d.Containers[0]
	require.Equal(t, []string{"serve"}, c.Args)
	cfg, err := parseServe(t)
	require.NoError(t, err)

	_, port, _ := strings.Cut(cfg.Listen, ":")
	require.Len(t, c.Ports, 1)
	require.Equal(t, "8080", port)
	require.Equal(t, 8080, c.Ports[0].ContainerPort)
	require.Equal(t, c.VolumeMounts[0].MountPath, filepath.Dir(cfg.Bootstrap))
	grace := time.Duration(d.TerminationGracePeriodSeconds) * time.Second
	preStop := time.Duration(c.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	require.Greater(t, grace, preStop+cfg.Drain, "the grace period covers the way out of the Service and the drain")
}

func TestProbesAndServiceAskForWhatThereIs(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(contract.OpenAPI)
	require.NoError(t, err)
	c := readDeployment(t).Spec.Template.Spec.Containers[0]
	port := c.Ports[0].Name
	for path, want := range map[string]string{
		c.StartupProbe.HTTPGet.Path:   "/healthz",
		c.LivenessProbe.HTTPGet.Path:  "/healthz",
		c.ReadinessProbe.HTTPGet.Path: "/readyz",
	} {
		require.Equal(t, want, path)
		require.NotNil(t, spec.Paths.Find(path), "%s is a route", path)
	}
	for _, p := range []string{c.StartupProbe.HTTPGet.Port, c.LivenessProbe.HTTPGet.Port, c.ReadinessProbe.HTTPGet.Port} {
		require.Equal(t, port, p)
	}
	var service struct {
		Spec struct{ Ports []struct{ TargetPort string } }
	}
	require.NoError(t, yaml.Unmarshal(readDeploy(t, "base/service.yaml"), &service))
	require.Len(t, service.Spec.Ports, 1)
	require.Equal(t, port, service.Spec.Ports[0].TargetPort)
}

func TestTheContainerMayDoNothingThatItNeedNot(t *testing.T) {
	t.Parallel()
	pod := readDeployment(t).Spec.Template.Spec
	c := pod.Containers[0].SecurityContext
	require.True(t, pod.SecurityContext.RunAsNonRoot)
	require.True(t, c.ReadOnlyRootFilesystem)
	require.Equal(t, []string{"ALL"}, c.Capabilities.Drop)
	for name, setting := range map[string]*bool{
		"privilege escalation":  c.AllowPrivilegeEscalation,
		"service account token": pod.AutomountServiceAccountToken,
		"service links":         pod.EnableServiceLinks,
	} {
		require.NotNil(t, setting, name)
		require.False(t, *setting, name)
	}
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
