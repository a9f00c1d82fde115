package scheduler_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

// mixed is a response of reads, edits and shell commands, all different.
func mixed(n int) []scheduler.Input {
	calls := make([]scheduler.Input, n)
	for i := range calls {
		id := fmt.Sprintf("toolu_%06d", i)
		switch i % 3 {
		case 0:
			calls[i] = call(id, "read_file", fmt.Sprintf(`{"file_path":"src/pkg/file%d.go"}`, i))
		case 1:
			calls[i] = call(id, "edit", fmt.Sprintf(`{"file_path":"src/pkg/file%d.go","old":"a","new":"b"}`, i))
		default:
			calls[i] = call(id, "run_shell_command", fmt.Sprintf(`{"command":"go test ./pkg%d"}`, i))
		}
	}
	return calls
}

// withoutSchemas takes the cost of validation out, which is the schemas' own.
func withoutSchemas(w *world) {
	for i := range w.tools {
		w.tools[i].Validate = nil
	}
}

// BenchmarkPlan is the submission of a batch of which everything is allowed:
// the cost of a call should not depend on how many there are.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("calls=%d", n), func(b *testing.B) {
			w := newWorld(b, allowAll, identical(0), perTurn(0), withoutSchemas)
			batch := w.submission(mixed(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b.ResetTimer()
			for range b.N {
				_, _, err := scheduler.Submit(w.env, w.state, batch)
				require.NoError(b, err)
			}
			b.StopTimer()
			runtime.ReadMemStats(&after)
			calls := float64(b.N) * float64(n)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/calls, "ns/call")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/calls, "allocs/call")
		})
	}
}
