package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yannh/kubeconform/pkg/resource"
	"github.com/yannh/kubeconform/pkg/validator"
)

//go:generate go run ./schemas

// notOfKubernetes are the kinds that the Prometheus operator defines.
// Kubernetes publishes no schema of them; the strict decoding into the
// operator's own types is what judges them.
var notOfKubernetes = map[string]struct{}{
	"monitoring.coreos.com/v1/ServiceMonitor": {},
	"monitoring.coreos.com/v1/PrometheusRule": {},
}

// kubernetesVersion is the release whose types the other tests decode into. The
// schemas are of the same, or are not found: `go generate` makes them anew.
func kubernetesVersion(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	match := regexp.MustCompile(`k8s\.io/api v0\.(\S+)`).FindSubmatch(raw)
	require.NotNil(t, match)
	return "1." + string(match[1])
}

// kubeconform judges strictly, by the schemas that are here and no others: what
// has none is an error.
func kubeconform(t *testing.T) validator.Validator {
	t.Helper()
	v, err := validator.New(
		[]string{filepath.Join("testdata", "schemas", "{{.NormalizedKubernetesVersion}}", "{{.ResourceKind}}{{.KindSuffix}}.json")},
		validator.Opts{Strict: true, KubernetesVersion: kubernetesVersion(t), SkipKinds: notOfKubernetes},
	)
	require.NoError(t, err)
	return v
}

func TestKubeconformTakesEveryObject(t *testing.T) {
	t.Parallel()
	for _, overlay := range overlays {
		t.Run(overlay, func(t *testing.T) {
			t.Parallel()
			v := kubeconform(t)
			for id, text := range built(t, overlay) {
				r := resource.Resource{Path: id, Bytes: text}
				signature, err := r.Signature()
				require.NoError(t, err, id)
				want := validator.Valid
				if _, skipped := notOfKubernetes[signature.GroupVersionKind()]; skipped {
					want = validator.Skipped
				}
				result := v.ValidateResource(r)
				require.Equal(t, want, result.Status, "%s: %v", id, result.Err)
			}
		})
	}
}

func TestKubeconformRefuses(t *testing.T) {
	t.Parallel()
	const service = "apiVersion: v1\nkind: Service\nmetadata: {name: gateway}\n"
	for name, c := range map[string]struct {
		text string
		want validator.Status
		says string
	}{
		"a misspelt field":      {service + "spec: {slector: {app: gateway}}\n", validator.Invalid, "slector"},
		"a field far inside":    {service + "spec: {ports: [{port: 80, targetport: http}]}\n", validator.Invalid, "targetport"},
		"a field of a type":     {service + "spec: {ports: [{port: http}]}\n", validator.Invalid, "port"},
		"a field that lacks":    {service + "spec: {ports: [{name: http}]}\n", validator.Invalid, "port"},
		"a field that is twice": {service + "kind: Service\n", validator.Error, "kind"},
		"a kind without schema": {"apiVersion: v1\nkind: Servlet\nmetadata: {name: gateway}\n", validator.Error, "Servlet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := kubeconform(t).ValidateResource(resource.Resource{Bytes: []byte(c.text)})
			require.Equal(t, c.want, result.Status, "%v", result.Err)
			require.ErrorContains(t, result.Err, c.says)
		})
	}
}
