package deploy_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

func (m *manifests) gateway(t *testing.T) (*appsv1.Deployment, *corev1.Container) {
	t.Helper()
	d := m.deployments["gateway"]
	require.NotNil(t, d)
	require.Len(t, d.Spec.Template.Spec.Containers, 1)
	return d, &d.Spec.Template.Spec.Containers[0]
}

func TestPodsMayDoNothingThatTheyNeedNot(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		d, c := m.gateway(t)
		templates := []corev1.PodSpec{d.Spec.Template.Spec}
		for _, s := range m.statefulSets {
			templates = append(templates, s.Spec.Template.Spec)
		}
		for _, pod := range templates {
			require.True(t, *pod.SecurityContext.RunAsNonRoot)
			require.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type)
			require.False(t, *pod.AutomountServiceAccountToken)
			s := pod.Containers[0].SecurityContext
			require.False(t, *s.AllowPrivilegeEscalation)
			require.True(t, *s.ReadOnlyRootFilesystem)
			require.Equal(t, []corev1.Capability{"ALL"}, s.Capabilities.Drop)
			require.Empty(t, s.Capabilities.Add)
			require.NotEmpty(t, pod.Containers[0].Resources.Requests)
			require.NotEmpty(t, pod.Containers[0].Resources.Limits)
		}
		require.False(t, *m.accounts[d.Spec.Template.Spec.ServiceAccountName].AutomountServiceAccountToken)
		require.False(t, *d.Spec.Template.Spec.EnableServiceLinks)
		for _, v := range c.VolumeMounts {
			require.True(t, v.ReadOnly)
		}
		for _, n := range m.namespaces {
			require.Equal(t, "restricted", n.Labels["pod-security.kubernetes.io/enforce"])
		}
	})
}

// contractPaths are the routes of openapi.yaml.
func contractPaths(t *testing.T) map[string]any {
	t.Helper()
	raw, err := os.ReadFile("../../openapi.yaml")
	require.NoError(t, err)
	var doc struct{ Paths map[string]any }
	require.NoError(t, yaml.Unmarshal(raw, &doc))
	return doc.Paths
}

func TestProbesAskForRoutesThatThereAre(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		_, c := m.gateway(t)
		paths := contractPaths(t)
		for probe, want := range map[*corev1.Probe]string{
			c.StartupProbe: "/healthz", c.LivenessProbe: "/healthz", c.ReadinessProbe: "/readyz",
		} {
			require.Equal(t, want, probe.HTTPGet.Path, "liveness does not depend on Redis, readiness does")
			require.Contains(t, paths, probe.HTTPGet.Path)
			require.Equal(t, intstr.FromString("http"), probe.HTTPGet.Port)
		}
	})
}

// ports are the ports of a container by name.
func ports(c *corev1.Container) map[string]int32 {
	out := map[string]int32{}
	for _, p := range c.Ports {
		out[p.Name] = p.ContainerPort
	}
	return out
}

func TestPortsMatchFromTheProgramToTheIngress(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		_, c := m.gateway(t)
		set, named := m.settings(t), ports(c)
		require.Equal(t, map[string]int32{"http": portOf(t, set["GATEWAY_LISTEN"]), "metrics": portOf(t, set["GATEWAY_METRICS_LISTEN"])}, named)
		service := map[string]bool{}
		for _, p := range m.services["gateway"].Spec.Ports {
			require.Contains(t, named, p.TargetPort.String())
			service[p.Name] = true
		}
		for _, rule := range m.policies["gateway"].Spec.Ingress {
			for _, p := range rule.Ports {
				require.Contains(t, named, p.Port.String())
			}
		}
		for _, monitor := range m.monitors {
			for _, e := range monitor.Spec.Endpoints {
				require.True(t, service[e.Port])
				require.Contains(t, contractPaths(t), e.Path)
			}
		}
		for _, ingress := range m.ingresses {
			for _, p := range ingress.Spec.Rules[0].HTTP.Paths {
				require.True(t, service[p.Backend.Service.Port.Name])
				require.NotEqual(t, "/metrics", p.Path, "not for the public")
				require.NotEqual(t, "/", p.Path, "which would have /metrics in it")
			}
			require.NotEmpty(t, ingress.Spec.TLS)
		}
	})
}

// TestTheIngressLeadsToEveryRouteButMetrics: to the contract's and to the console.
func TestTheIngressLeadsToEveryRouteButMetrics(t *testing.T) {
	t.Parallel()
	public := []string{"/console", "/console/assets/x.js"}
	for route := range contractPaths(t) {
		if route != "/metrics" {
			public = append(public, route)
		}
	}
	for _, ingress := range render(t, "prod").ingresses {
		for _, route := range public {
			require.True(t, slices.ContainsFunc(ingress.Spec.Rules[0].HTTP.Paths, func(p networkingv1.HTTPIngressPath) bool {
				under := *p.PathType == networkingv1.PathTypePrefix && strings.HasPrefix(route, p.Path+"/")
				return under || route == p.Path
			}), route)
		}
	}
}

// TestTheCollectorKnowsTheMemoryLimit: without that the kernel kills a replica
// whose garbage was due.
func TestTheCollectorKnowsTheMemoryLimit(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		_, c := m.gateway(t)
		soft, err := resource.ParseQuantity(strings.TrimSuffix(m.settings(t)["GOMEMLIMIT"], "B"))
		require.NoError(t, err)
		hard := c.Resources.Limits[corev1.ResourceMemory]
		require.InEpsilon(t, 0.8*hard.AsApproximateFloat64(), soft.AsApproximateFloat64(), 0.01)
	})
}

// TestPodsAreScrapedUntilTheyAreGone: while they stop, too.
func TestPodsAreScrapedUntilTheyAreGone(t *testing.T) {
	t.Parallel()
	for _, monitor := range render(t, "prod").monitors {
		require.Equal(t, monitoringv1.EndpointSliceRole, *monitor.Spec.ServiceDiscoveryRole)
	}
}

func portOf(t *testing.T, addr string) int32 {
	t.Helper()
	_, port, ok := strings.Cut(addr, ":")
	require.True(t, ok, addr)
	n := intstr.Parse(port)
	return n.IntVal
}

func TestTheGracePeriodFitsTheDrain(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		d, c := m.gateway(t)
		drain, err := time.ParseDuration(m.settings(t)["GATEWAY_DRAIN"])
		require.NoError(t, err)
		grace := time.Duration(*d.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second
		preStop := time.Duration(c.Lifecycle.PreStop.Sleep.Seconds) * time.Second
		require.Greater(t, grace, preStop+drain+5*time.Second)
		probe := time.Duration(c.ReadinessProbe.PeriodSeconds*c.ReadinessProbe.FailureThreshold) * time.Second
		require.Less(t, probe, 3*time.Second, "readiness is seen while connections are still taken")
	})
}

// TestAStopIsGivenItsTimeBeforeItCountsAsFailed: an alert before the grace period
// is over would tell of every rollout.
func TestAStopIsGivenItsTimeBeforeItCountsAsFailed(t *testing.T) {
	t.Parallel()
	m := render(t, "prod")
	d, _ := m.gateway(t)
	waits, err := time.ParseDuration(string(*alertsOf(m.rules["gateway"])["GatewayDrainFails"].For))
	require.NoError(t, err)
	require.Greater(t, waits, time.Duration(*d.Spec.Template.Spec.TerminationGracePeriodSeconds)*time.Second)
}

// selects says whether a selector finds the gateway's pods.
func selects(t *testing.T, m *manifests, s *metav1.LabelSelector) bool {
	t.Helper()
	selector, err := metav1.LabelSelectorAsSelector(s)
	require.NoError(t, err)
	d, _ := m.gateway(t)
	return selector.Matches(labelSet(d.Spec.Template.Labels))
}

type labelSet map[string]string

func (l labelSet) Has(label string) bool   { _, ok := l[label]; return ok }
func (l labelSet) Get(label string) string { return l[label] }
func (l labelSet) Lookup(label string) (string, bool) {
	v, ok := l[label]
	return v, ok
}

func TestEverySelectorFindsTheGatewayAndOnlyIt(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		d, _ := m.gateway(t)
		require.True(t, selects(t, m, d.Spec.Selector))
		require.True(t, selects(t, m, m.budgets["gateway"].Spec.Selector))
		require.True(t, selects(t, m, &m.policies["gateway"].Spec.PodSelector))
		require.True(t, selects(t, m, &metav1.LabelSelector{MatchLabels: m.services["gateway"].Spec.Selector}))
		require.Len(t, d.Spec.Template.Spec.TopologySpreadConstraints, 2)
		for _, spread := range d.Spec.Template.Spec.TopologySpreadConstraints {
			require.True(t, selects(t, m, spread.LabelSelector))
		}
		for name, s := range m.statefulSets {
			require.False(t, selects(t, m, s.Spec.Selector), name)
		}
		for _, monitor := range m.monitors {
			s, err := metav1.LabelSelectorAsSelector(&monitor.Spec.Selector)
			require.NoError(t, err)
			require.True(t, s.Matches(labelSet(m.services["gateway"].Labels)))
		}
	})
}

func TestPodsScaleByStreamsAndCPUAndNeverAllGo(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		d, _ := m.gateway(t)
		require.Nil(t, d.Spec.Replicas, "the autoscaler says how many; a number here would fight it")
		s := m.scalers["gateway"].Spec
		require.Equal(t, "gateway", s.ScaleTargetRef.Name)
		var by []string
		for _, metric := range s.Metrics {
			if metric.Pods != nil {
				by = append(by, metric.Pods.Metric.Name)
			}
			if metric.Resource != nil {
				by = append(by, metric.Resource.Name.String())
			}
		}
		require.Equal(t, []string{"gateway_streams_open", "cpu"}, by)
		require.Equal(t, 1, m.budgets["gateway"].Spec.MaxUnavailable.IntValue())
		require.Zero(t, d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue())
	})
}

func TestTheDevelopmentRedisIsDurableAndEvictsNothing(t *testing.T) {
	t.Parallel()
	args := strings.Join(render(t, "dev").statefulSets["redis"].Spec.Template.Spec.Containers[0].Args, " ")
	require.Contains(t, args, "--appendonly yes")
	require.Contains(t, args, "--maxmemory-policy noeviction")
}

func TestSecretsAreInSecrets(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		_, c := m.gateway(t)
		for name := range m.settings(t) {
			require.NotContains(t, []string{"GATEWAY_REDIS", "GATEWAY_DEV_KEY"}, name)
		}
		for _, env := range c.Env {
			require.NotNil(t, env.ValueFrom.SecretKeyRef, env.Name)
		}
		require.Equal(t, c.VolumeMounts[0].MountPath, path.Dir(m.settings(t)["GATEWAY_BOOTSTRAP"]))
	})
}
