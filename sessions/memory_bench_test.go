package sessions_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// BenchmarkIdleSession measures what an idle session takes of a real Redis's
// memory: as created with the four standard tools, and after batches of four
// calls whose outputs have 1000 characters. docs/operations.md has the figures.
//
//	go test -run '^$' -bench IdleSession -benchtime 2000x ./sessions
func BenchmarkIdleSession(b *testing.B) {
	for _, batches := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("batches=%d", batches), func(b *testing.B) { idle(b, batches) })
	}
}

func idle(b *testing.B, batches int) {
	server := redistest.Start(b)
	a := bench(b, server.URL())
	lived(a, batches) // what the first one brings is not its own
	before := usedMemory(b, server)
	for b.Loop() {
		lived(a, batches)
	}
	b.ReportMetric(float64(usedMemory(b, server)-before)/float64(b.N), "redis-B/session")
}

// lived is a session that has run so many batches and is idle now.
func lived(a *actor, batches int) {
	sid := a.create(nil).ID
	for n := range batches {
		calls, results := make([]scheduler.Input, 4), sessions.Report{HostID: new("h")}
		for i := range calls {
			calls[i] = call(fmt.Sprintf("c%d_%d", n, i), "read_file", fmt.Sprintf(`{"file_path": "src/%d_%d.go"}`, n, i))
			results.Results = append(results.Results, succeed(i, strings.Repeat("x", 1000)).Results...)
		}
		in := batch(calls...)
		in.HostID = results.HostID
		open, err := a.Submit(context.Background(), a.caller, sessions.Idempotency{}, sid, in)
		require.NoError(a.t, err)
		_, err = a.tell(open.Value, results)
		require.NoError(a.t, err)
	}
}

func usedMemory(b *testing.B, server *redistest.Server) int {
	b.Helper()
	info := server.Client(b).Info(b.Context(), "memory").Val()
	_, after, ok := strings.Cut(info, "used_memory:")
	require.True(b, ok)
	digits, _, _ := strings.Cut(after, "\r")
	n, err := strconv.Atoi(digits)
	require.NoError(b, err)
	return n
}
