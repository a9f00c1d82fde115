// Command schemas writes what kubeconform judges the manifests by: a JSON
// Schema for each kind that they use, with everything that it refers to, taken
// from what Kubernetes publishes of its API. It asks the Go module proxy for
// the release that k8s.io/api in go.mod belongs to; the tests ask nobody.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// folder is where the schemas are, one folder for a release.
const folder = "testdata/schemas"

// kinds are the definitions of what the manifests hold.
var kinds = []string{
	"io.k8s.api.apps.v1.Deployment", "io.k8s.api.apps.v1.StatefulSet",
	"io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
	"io.k8s.api.core.v1.ConfigMap", "io.k8s.api.core.v1.Namespace", "io.k8s.api.core.v1.Secret",
	"io.k8s.api.core.v1.Service", "io.k8s.api.core.v1.ServiceAccount",
	"io.k8s.api.networking.v1.Ingress", "io.k8s.api.networking.v1.NetworkPolicy",
	"io.k8s.api.policy.v1.PodDisruptionBudget",
}

func main() {
	if err := generate(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// generate puts the schemas of one release in the place of all that were there.
func generate(ctx context.Context) error {
	version, err := release(ctx)
	if err != nil {
		return err
	}
	published, err := definitions(ctx, version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove old schemas: %w", err)
	}
	into := filepath.Join(folder, version)
	if err := os.MkdirAll(into, 0o750); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	for _, kind := range kinds {
		s, err := selfContained(kind, published)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		if err := write(into, s); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// release is the version of Kubernetes whose types the tests decode into:
// k8s.io/api v0.x.y is published from v1.x.y.
func release(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", "k8s.io/api").Output()
	if err != nil {
		return "", fmt.Errorf("read the version of k8s.io/api: %w", err)
	}
	return strings.Replace(strings.TrimSpace(string(out)), "v0.", "v1.", 1), nil
}

// definitions are all that a release publishes.
func definitions(ctx context.Context, version string) (map[string]any, error) {
	module := "k8s.io/kubernetes@" + version
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", module).Output() //nolint:gosec // go.mod's own word
	if err != nil {
		return nil, fmt.Errorf("download %s: %w", module, err)
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(out, &at); err != nil {
		return nil, fmt.Errorf("read where Kubernetes is: %w", err)
	}
	raw, err := os.ReadFile(filepath.Join(at.Dir, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return nil, fmt.Errorf("read the API's description: %w", err)
	}
	var spec struct {
		Definitions map[string]any `json:"definitions"`
	}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return nil, fmt.Errorf("read the API's description: %w", err)
	}
	return spec.Definitions, nil
}

// write names a file as kubeconform looks for it: kind, group, version.
func write(into string, s schema) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return os.WriteFile(filepath.Join(into, s.fileName()), append(text, '\n'), 0o600)
}
