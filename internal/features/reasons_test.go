package features_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome is a row of a table of reasons: status, execution status, error type.
type outcome [3]string

// row is a line of the README's table of results: reason, then the outcome.
var row = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\| (\\w+) \\| (\\w+|–) \\| [^|]+ \\|$")

func TestTheREADMEHasEveryReasonWithItsOutcome(t *testing.T) {
	t.Parallel()
	shown := make(map[string]outcome)
	for _, m := range row.FindAllStringSubmatch(read(t, "README.md"), -1) {
		require.NotContains(t, shown, m[1])
		shown[m[1]] = outcome{m[2], m[3], m[4]}
	}
	require.Equal(t, outcomesOfTheScheduler(t), shown)
}

// outcomesOfTheScheduler is the table in scheduler/reasons.go, read from its
// source: it is unexported, for only the scheduler decides by it.
func outcomesOfTheScheduler(t *testing.T) map[string]outcome {
	t.Helper()
	constants := make(map[string]string)
	var table *ast.CompositeLit
	for _, name := range []string{"reasons.go", "types.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "scheduler", name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			switch v := spec.Values[0].(type) {
			case *ast.BasicLit:
				constants[spec.Names[0].Name] = text(t, v)
			case *ast.CompositeLit:
				if spec.Names[0].Name == "outcomes" {
					table = v
				}
			}
			return true
		})
	}
	require.NotNil(t, table, "scheduler/reasons.go has the table outcomes")
	return rows(t, table, constants)
}

func rows(t *testing.T, table *ast.CompositeLit, constants map[string]string) map[string]outcome {
	t.Helper()
	found := make(map[string]outcome)
	for _, e := range table.Elts {
		entry := e.(*ast.KeyValueExpr)
		var o outcome
		for i, cell := range entry.Value.(*ast.CompositeLit).Elts {
			o[i] = value(t, cell, constants)
		}
		if o[2] == "" {
			o[2] = "–"
		}
		found[value(t, entry.Key, constants)] = o
	}
	return found
}

func value(t *testing.T, e ast.Expr, constants map[string]string) string {
	t.Helper()
	if name, ok := e.(*ast.Ident); ok {
		require.Contains(t, constants, name.Name)
		return constants[name.Name]
	}
	return text(t, e.(*ast.BasicLit))
}

func text(t *testing.T, l *ast.BasicLit) string {
	t.Helper()
	if l.Kind != token.STRING {
		return l.Value
	}
	s, err := strconv.Unquote(l.Value)
	require.NoError(t, err)
	return s
}
