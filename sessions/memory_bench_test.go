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
// calls whose outputs have 1000 characters, without and with a key for each
// request. The processor time that Redis takes is of the batches with the
// session's making. docs/operations.md has the figures.
//
//	go test -run '^$' -bench IdleSession -benchtime 2000x ./sessions
func BenchmarkIdleSession(b *testing.B) {
	for _, l := range []life{{}, {batches: 1}, {batches: 10}, {batches: 10, keyed: true}} {
		b.Run(fmt.Sprintf("batches=%d,keys=%v", l.batches, l.keyed), func(b *testing.B) { idle(b, l) })
	}
}

// life is what a session has seen before it is idle.
type life struct {
	batches int
	keyed   bool // every request has an idempotency key
}

func idle(b *testing.B, l life) {
	server := redistest.Start(b)
	a := bench(b, server.URL())
	l.live(a) // what the first one brings is not its own
	memory, busy := usedMemory(b, server), usedTime(b, server)
	for b.Loop() {
		l.live(a)
	}
	b.ReportMetric((usedMemory(b, server)-memory)/float64(b.N), "redis-B/session")
	if l.batches > 0 {
		b.ReportMetric(1e6*(usedTime(b, server)-busy)/float64(b.N*l.batches), "redis-us/batch")
	}
}

// live makes a session that is idle in the end.
func (l life) live(a *actor) {
	sid := a.create(nil).ID
	for n := range l.batches {
		calls, results := make([]scheduler.Input, 4), sessions.Report{HostID: new("h")}
		for i := range calls {
			calls[i] = call(fmt.Sprintf("c%d_%d", n, i), "read_file", fmt.Sprintf(`{"file_path": "src/%d_%d.go"}`, n, i))
			results.Results = append(results.Results, succeed(i, strings.Repeat("x", 1000)).Results...)
		}
		in := batch(calls...)
		in.HostID = results.HostID
		open, err := a.Submit(context.Background(), a.caller, l.key(sid, "submit", n), sid, in)
		require.NoError(a.t, err)
		_, err = a.Report(context.Background(), a.caller, l.key(sid, "results", n), sid, open.Value.ID, results)
		require.NoError(a.t, err)
	}
}

func (l life) key(sid, route string, n int) sessions.Idempotency {
	if !l.keyed {
		return sessions.Idempotency{}
	}
	return once(fmt.Sprint(sid, n), route, "body")
}

func usedMemory(b *testing.B, server *redistest.Server) float64 {
	b.Helper()
	return infoOf(b, server, "memory", "used_memory")
}

// usedTime is what Redis took of a processor, in seconds.
func usedTime(b *testing.B, server *redistest.Server) float64 {
	b.Helper()
	return infoOf(b, server, "cpu", "used_cpu_user") + infoOf(b, server, "cpu", "used_cpu_sys")
}

// infoOf is a number of what Redis tells of itself.
func infoOf(b *testing.B, server *redistest.Server, section, field string) float64 {
	b.Helper()
	info := server.Client(b).Info(b.Context(), section).Val()
	_, after, ok := strings.Cut(info, field+":")
	require.True(b, ok)
	digits, _, _ := strings.Cut(after, "\r")
	n, err := strconv.ParseFloat(digits, 64)
	require.NoError(b, err)
	return n
}
