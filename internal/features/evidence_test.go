package features_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	gateway "github.com/session-gateway/gateway"
	"github.com/session-gateway/gateway/internal/features"
)

const root = "../.."

func load(t *testing.T) []features.Feature {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "docs/features.yaml"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	list, err := features.Load(f)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// cited calls check for every citation, with the feature's name.
func cited(t *testing.T, check func(name string, c features.Citation)) {
	t.Helper()
	for _, f := range load(t) {
		for _, c := range f.Evidence {
			check(f.Name, c)
		}
	}
}

func TestTheREADMEHasTheTableOfTheData(t *testing.T) {
	t.Parallel()
	text := read(t, "README.md")
	want, err := features.Splice(text, load(t))
	require.NoError(t, err)
	require.Equal(t, want, text, "run make generate")
}

func TestEveryCitedRouteIsInTheContract(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(gateway.OpenAPI)
	require.NoError(t, err)
	cited(t, func(_ string, c features.Citation) {
		if c.Route != "" {
			requireRoute(t, spec, c.Route)
		}
	})
}

func TestEveryCitedMakeTargetExists(t *testing.T) {
	t.Parallel()
	makefile := read(t, "Makefile")
	cited(t, func(name string, c features.Citation) {
		if target, ok := strings.CutPrefix(c.Command, "make "); ok {
			require.Regexp(t, "(?m)^"+regexp.QuoteMeta(target)+":", makefile, name)
		}
	})
}

func TestEveryCitedTestExists(t *testing.T) {
	t.Parallel()
	known := make(map[string]map[string]bool)
	cited(t, func(name string, c features.Citation) {
		if c.Test == "" {
			return
		}
		folder, test := c.TestIn()
		if known[folder] == nil {
			known[folder] = testsOf(t, folder)
		}
		require.True(t, known[folder][test], "%s: no %s in %s", name, test, folder)
	})
}

// testsOf are the tests, benchmarks and fuzz targets of a folder that
// `go test` would run.
func testsOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	require.NoError(t, err)
	found := make(map[string]bool)
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && runs(f) {
				found[f.Name.Name] = true
			}
		}
	}
	return found
}

var testName = regexp.MustCompile(`^(Test|Fuzz|Benchmark)([^a-z]|$)`)

// runs says whether a function is one that `go test` calls: by its name and
// its one parameter of package testing.
func runs(f *ast.FuncDecl) bool {
	params := f.Type.Params.List
	if !testName.MatchString(f.Name.Name) || len(params) != 1 {
		return false
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && strings.Contains("T F B", sel.Sel.Name)
}

// routeInText is a route as the README names one.
var routeInText = regexp.MustCompile("`((?:GET|POST|PUT|PATCH|DELETE) /[^` ]*)`")

func TestTheREADMENamesOnlyRoutesOfTheContract(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(gateway.OpenAPI)
	require.NoError(t, err)
	routes := routeInText.FindAllStringSubmatch(read(t, "README.md"), -1)
	require.NotEmpty(t, routes)
	for _, m := range routes {
		requireRoute(t, spec, m[1])
	}
}

func requireRoute(t *testing.T, spec *openapi3.T, route string) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	item := spec.Paths.Value(path)
	require.NotNil(t, item, route)
	require.NotNil(t, item.GetOperation(method), route)
}
