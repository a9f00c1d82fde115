package sessions_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// bench is a replica without background work, so that only use cases count.
func bench(tb testing.TB, url string) *actor {
	tb.Helper()
	st, err := store.Open(tb.Context(), store.Config{URL: url})
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = st.Close() })
	service, err := sessions.New(sessions.Config{Store: st, Feed: st})
	require.NoError(tb, err)
	return &actor{replica: &replica{Service: service, store: st}, t: tb, caller: caller()}
}

// round takes a batch of reads from its submission over one claim to its
// results: as many transitions as calls, and two. n makes its ids new.
func round(a *actor, sid string, n, calls int) {
	in := make([]scheduler.Input, calls)
	positions := make([]int, calls)
	for i := range in {
		in[i] = call(fmt.Sprintf("call_%d_of_%d_x", i, n), "read_file", fmt.Sprintf(`{"file_path": "f%d"}`, n*calls+i))
		positions[i] = i
	}
	b := a.send(sid, in...)
	a.claim(b, "h1", positions...)
	for i := range in {
		report := succeed(i, "done")
		report.HostID = new("h1")
		_, err := a.tell(b, report)
		require.NoError(a.t, err)
	}
}

// unlimited is a session that may go on for ever.
func unlimited(a *actor) string {
	return a.create(func(s *sessions.Spec) {
		require.NoError(a.t, unmarshal(`{"loop": {"identical_calls": 0, "calls_per_turn": 0}}`, s))
	}).ID
}

// sessionLength is after how many rounds a benchmark goes on with a new
// session, so that what it remembers does not count.
const sessionLength = 50

// BenchmarkTransition is submit → claim → one report a call, on the embedded
// store; per-call figures are beside those of a whole batch.
func BenchmarkTransition(b *testing.B) {
	for _, calls := range []int{1, 4, 10} {
		b.Run(strconv.Itoa(calls)+"-calls", func(b *testing.B) {
			a := bench(b, store.Embedded)
			sid := unlimited(a)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n++; n%sessionLength == 0 {
					sid = unlimited(a)
				}
				round(a, sid, n, calls)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*calls), "ns/call")
		})
	}
}

// commandsOf are the calls that a server has had of each command.
func commandsOf(t testing.TB, client *redis.Client) map[string]int {
	t.Helper()
	text, err := client.Info(context.Background(), "commandstats").Result()
	require.NoError(t, err)
	out := map[string]int{}
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(rest, ",")
		n, err := strconv.Atoi(digits)
		require.NoError(t, err)
		out[name] = n
	}
	return out
}

// TestATransitionIsOneRoundTripWhenNobodyElseWrote counts the commands that a
// server of the test's own receives. A commit is one script.
func TestATransitionIsOneRoundTripWhenNobodyElseWrote(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	a := bench(t, server.URL())
	sid := unlimited(a)
	round(a, sid, 0, 4) // the script is known now
	before := commandsOf(t, client)
	round(a, sid, 1, 4)
	after := commandsOf(t, client)
	const transitions = 6 // submit, claim and four results
	require.Equal(t, transitions, after["evalsha"]-before["evalsha"])
	for _, read := range []string{"hgetall", "get", "exec", "multi", "hmget|client", "eval", "zrange", "script|load"} {
		require.Equal(t, before[read], after[read], "%s: nothing is read when nobody else wrote", read)
	}
}

// TestAKeyCostsNoRoundTrip: the commit itself finds out whether there is an
// answer under the key. Who asks again is read for.
func TestAKeyCostsNoRoundTrip(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	a := bench(t, server.URL())
	sid := unlimited(a)
	round(a, sid, 0, 1) // the script is known now
	submit := func() sessions.Reply[sessions.Batch] {
		reply, err := a.Submit(t.Context(), a.caller, once("k", "submit", "b"), sid, batch(call("1_x", "read_file", `{}`)))
		require.NoError(t, err)
		return reply
	}
	before := commandsOf(t, client)
	first := submit()
	report, err := a.Report(t.Context(), a.caller, once("k", "results", "b"), sid, first.Value.ID, succeed(0, "x"))
	require.NoError(t, err)
	require.Equal(t, "completed", report.Value.Status)
	after := commandsOf(t, client)
	require.Equal(t, 2, after["evalsha"]-before["evalsha"])
	for _, read := range []string{"hgetall", "exec"} {
		require.Equal(t, before[read], after[read], read)
	}
	// A script's own look at the record counts as well.
	require.Equal(t, 2, after["get"]-before["get"])

	again := submit()
	require.True(t, again.Replayed)
	require.Equal(t, encoded(t, first.Value), encoded(t, again.Value))
}

// TestAWriterElsewhereCostsOneReload: the first transition after somebody else
// wrote is refused by the store, decided again on what it holds, and then one
// round trip again.
func TestAWriterElsewhereCostsOneReload(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	a := bench(t, server.URL())
	b := a.at(bench(t, server.URL()).replica)
	sid := unlimited(a)
	first := a.send(sid, call("1_x", "read_file", `{"file_path": "1"}`), call("2_x", "read_file", `{"file_path": "2"}`))
	b.claim(first, "h1", 0)
	before := commandsOf(t, client)
	a.claim(first, "h1", 1)
	after := commandsOf(t, client)
	require.Equal(t, 2, after["evalsha"]-before["evalsha"])
	require.Equal(t, 1, after["exec"]-before["exec"])
	report := succeed(1, "x")
	report.HostID = new("h1")
	_, err := a.tell(first, report)
	require.NoError(t, err)
	again := commandsOf(t, client)
	require.Equal(t, 1, again["evalsha"]-after["evalsha"])
	require.Equal(t, after["exec"], again["exec"])
}

// TestWhoIsOvertakenAgainAndAgainReadsFirst: where requests of a session go to
// several replicas, none tries a commit that would be refused; soon after
// they stop doing so, each transition is one round trip again.
func TestWhoIsOvertakenAgainAndAgainReadsFirst(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	a := bench(t, server.URL())
	b := a.at(bench(t, server.URL()).replica)
	sid := unlimited(a)
	in := make([]scheduler.Input, 9)
	for i := range in {
		in[i] = call(fmt.Sprintf("%d_x", i), "read_file", fmt.Sprintf(`{"file_path": "%d"}`, i))
	}
	batch := a.send(sid, in...)
	b.claim(batch, "h1", 0)
	a.claim(batch, "h1", 1)
	b.claim(batch, "h1", 2)
	a.claim(batch, "h1", 3)
	b.claim(batch, "h1", 4)
	before := commandsOf(t, client)
	a.claim(batch, "h1", 5)
	after := commandsOf(t, client)
	require.Equal(t, 1, after["evalsha"]-before["evalsha"], "no commit is refused")
	require.Equal(t, 1, after["exec"]-before["exec"])
	a.claim(batch, "h1", 6)
	a.claim(batch, "h1", 7)
	before = commandsOf(t, client)
	a.claim(batch, "h1", 8)
	after = commandsOf(t, client)
	require.Equal(t, 1, after["evalsha"]-before["evalsha"])
	require.Equal(t, before["exec"], after["exec"], "nobody else wrote meanwhile")
}

// TestWhereRequestsGoAnywhereFewCommitsAreRefused: a replica that happens to have
// written last does not take its next copy for the newest.
func TestWhereRequestsGoAnywhereFewCommitsAreRefused(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	replicas := []*actor{bench(t, server.URL())}
	for range 2 {
		replicas = append(replicas, replicas[0].at(bench(t, server.URL()).replica))
	}
	sid := unlimited(replicas[0])
	const calls, rounds = 10, 12 // as many calls as are in flight
	rng := rand.New(rand.NewPCG(1, 2))
	anywhere := func() {
		for range rounds {
			in := make([]scheduler.Input, calls)
			for i := range in {
				in[i] = call(fmt.Sprintf("call_%d_x", rng.Uint64()), "read_file", fmt.Sprintf(`{"file_path": "%d"}`, i))
			}
			b := pick(rng, replicas...).send(sid, in...)
			for i := range in {
				pick(rng, replicas...).succeed(b, i, "x")
			}
		}
	}
	anywhere() // they learn it
	before := commandsOf(t, client)
	anywhere()
	refused := commandsOf(t, client)["evalsha"] - before["evalsha"] - rounds*(calls+1)
	require.Less(t, refused, 6, "of %d", rounds*(calls+1))
}

// TestARefusalIsNeverAnsweredFromAKeptCopy: each replica is asked about what
// the other has just changed.
func TestARefusalIsNeverAnsweredFromAKeptCopy(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	here := bench(t, server.URL())
	there := here.at(bench(t, server.URL()).replica)
	sid := unlimited(here)
	first := here.send(sid, call("1_x", "read_file", `{}`))
	there.claim(first, "h1", 0)
	report := succeed(0, "x")
	report.HostID = new("h1")
	_, err := there.tell(first, report)
	require.NoError(t, err)
	second := here.send(sid, call("2_x", "read_file", `{}`)) // here the first still looked open
	require.NotEqual(t, first.ID, second.ID)
	require.True(t, there.claim(second, "h2", 0)[0].Granted)
	held := here.claim(second, "h1", 0)[0]
	require.Equal(t, "h2", *held.HeldBy)
	here.as("root", tenants.RoleAdmin).mode(sid, "yolo")
	require.Equal(t, "yolo", string(there.session(sid).ApprovalMode))
}
