package permissions

import (
	"fmt"
	"testing"
)

// BenchmarkDecide judges one call against 1 to 1000 rules: for other tools,
// which the index skips, and for the same tool, all of which must be compared.
func BenchmarkDecide(b *testing.B) {
	calls := map[string]*Analysis{
		"path":    analyse(b, edit, args{"path": "src/main.go"}),
		"command": analyse(b, shell, args{"command": "git log -1 && ls src > out"}),
	}
	for _, n := range []int{1, 10, 100, 1000} {
		for name, pattern := range map[string]string{"others": "tool_%d(src/**)", "same": "write(dir_%d/**)"} {
			p := policy(b, numbered(pattern, n))
			for call, a := range calls {
				b.Run(fmt.Sprintf("rules=%d/%s/%s", n, name, call), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						p.Decide(a, ModeDefault)
					}
				})
			}
		}
	}
}

func numbered(pattern string, n int) Rules {
	var r Rules
	for i := range n {
		r.Deny = append(r.Deny, fmt.Sprintf(pattern, i))
	}
	return r
}

func BenchmarkAnalyse(b *testing.B) {
	for name, r := range map[string]Request{
		"path":    {Tool: edit, Arguments: `{"path":"src/main.go","content":"x"}`, Cwd: cwd},
		"command": {Tool: shell, Arguments: `{"command":"git log -1 && ls src > out"}`, Cwd: cwd},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Analyse(r)
			}
		})
	}
}

func BenchmarkCanonicalJSON(b *testing.B) {
	text := []byte(`{"path":"src/main.go","content":"x","edits":[{"old":"a","new":"b"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CanonicalJSON(string(text)); err != nil {
			b.Fatal(err)
		}
	}
}
