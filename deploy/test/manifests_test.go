package deploy_test

import (
	"path/filepath"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// overlays are what is applied.
var overlays = []string{"dev", "prod"}

// manifests are the objects of one overlay, by type.
type manifests struct {
	deployments  map[string]*appsv1.Deployment
	statefulSets map[string]*appsv1.StatefulSet
	services     map[string]*corev1.Service
	accounts     map[string]*corev1.ServiceAccount
	configMaps   map[string]*corev1.ConfigMap
	secrets      map[string]*corev1.Secret
	namespaces   map[string]*corev1.Namespace
	budgets      map[string]*policyv1.PodDisruptionBudget
	scalers      map[string]*autoscalingv2.HorizontalPodAutoscaler
	policies     map[string]*networkingv1.NetworkPolicy
	ingresses    map[string]*networkingv1.Ingress
	monitors     map[string]*monitoringv1.ServiceMonitor
	rules        map[string]*monitoringv1.PrometheusRule
}

// decoder takes an object only if it has no field that its type doesn't have,
// and no field twice.
func decoder(t *testing.T) runtime.Decoder {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme,
		policyv1.AddToScheme, monitoringv1.AddToScheme,
	} {
		require.NoError(t, add(scheme))
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
}

// built are the objects of an overlay as `kubectl kustomize` writes them, by id.
func built(t *testing.T, overlay string) map[string][]byte {
	t.Helper()
	k := krusty.MakeKustomizer(krusty.MakeDefaultOptions())
	resources, err := k.Run(filesys.MakeFsOnDisk(), filepath.Join("../k8s/overlays", overlay))
	require.NoError(t, err)
	texts := map[string][]byte{}
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		require.NoError(t, err)
		texts[resource.CurId().String()] = text
	}
	return texts
}

// render builds an overlay and decodes it strictly.
func render(t *testing.T, overlay string) *manifests {
	t.Helper()
	m, decode := newManifests(), decoder(t)
	for id, text := range built(t, overlay) {
		object, _, err := decode.Decode(text, nil, nil)
		require.NoError(t, err, id)
		meta, ok := object.(metav1.Object)
		require.True(t, ok, id)
		m.add(t, meta.GetName(), object)
	}
	return m
}

func newManifests() *manifests {
	return &manifests{
		deployments: map[string]*appsv1.Deployment{}, statefulSets: map[string]*appsv1.StatefulSet{},
		services: map[string]*corev1.Service{}, accounts: map[string]*corev1.ServiceAccount{},
		configMaps: map[string]*corev1.ConfigMap{}, secrets: map[string]*corev1.Secret{},
		namespaces: map[string]*corev1.Namespace{}, budgets: map[string]*policyv1.PodDisruptionBudget{},
		scalers: map[string]*autoscalingv2.HorizontalPodAutoscaler{}, policies: map[string]*networkingv1.NetworkPolicy{},
		ingresses: map[string]*networkingv1.Ingress{}, monitors: map[string]*monitoringv1.ServiceMonitor{},
		rules: map[string]*monitoringv1.PrometheusRule{},
	}
}

func (m *manifests) add(t *testing.T, name string, object runtime.Object) {
	t.Helper()
	switch o := object.(type) {
	case *appsv1.Deployment:
		m.deployments[name] = o
	case *appsv1.StatefulSet:
		m.statefulSets[name] = o
	case *corev1.Service:
		m.services[name] = o
	case *corev1.ServiceAccount:
		m.accounts[name] = o
	case *corev1.ConfigMap:
		m.configMaps[name] = o
	case *corev1.Secret:
		m.secrets[name] = o
	case *corev1.Namespace:
		m.namespaces[name] = o
	case *policyv1.PodDisruptionBudget:
		m.budgets[name] = o
	case *autoscalingv2.HorizontalPodAutoscaler:
		m.scalers[name] = o
	case *networkingv1.NetworkPolicy:
		m.policies[name] = o
	case *networkingv1.Ingress:
		m.ingresses[name] = o
	case *monitoringv1.ServiceMonitor:
		m.monitors[name] = o
	case *monitoringv1.PrometheusRule:
		m.rules[name] = o
	default:
		t.Fatalf("%T is not expected here", o)
	}
}

// settings are the variables of the ConfigMap that the pods get.
func (m *manifests) settings(t *testing.T) map[string]string {
	t.Helper()
	for name, c := range m.configMaps {
		if name == "gateway" || strings.HasPrefix(name, "gateway-") && name != "gateway-dashboard" {
			return c.Data
		}
	}
	t.Fatal("there is no ConfigMap of settings")
	return nil
}

// onEachOverlay runs a test on what each overlay applies.
func onEachOverlay(t *testing.T, test func(t *testing.T, m *manifests)) {
	t.Helper()
	t.Parallel()
	for _, overlay := range overlays {
		t.Run(overlay, func(t *testing.T) {
			t.Parallel()
			test(t, render(t, overlay))
		})
	}
}

func TestEveryObjectIsWhatItsTypeSays(t *testing.T) {
	onEachOverlay(t, func(t *testing.T, m *manifests) {
		require.Len(t, m.deployments, 1)
	})
}

func TestAFieldThatATypeDoesNotHaveIsRefused(t *testing.T) {
	t.Parallel()
	_, _, err := decoder(t).Decode([]byte("apiVersion: v1\nkind: Service\nspec: {typo: 1}\n"), nil, nil)
	require.ErrorContains(t, err, "typo")
}
