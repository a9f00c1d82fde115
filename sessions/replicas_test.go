package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// adversary stands between a replica and Redis. It loses replies after Redis
// has carried out the command, and holds everything back while it is frozen.
type adversary struct {
	listener net.Listener
	target   string
	lose     atomic.Int32 // so many replies are lost
	frozen   sync.RWMutex // held for writing: nothing passes
	wg       sync.WaitGroup
}

func newAdversary(t *testing.T, target string) *adversary {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	a := &adversary{listener: l, target: target}
	a.wg.Go(a.accept)
	t.Cleanup(func() {
		_ = l.Close()
		a.wg.Wait()
	})
	return a
}

func (a *adversary) url() string { return "redis://" + a.listener.Addr().String() }

func (a *adversary) accept() {
	for {
		client, err := a.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", a.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		a.wg.Go(func() { a.pump(server, client, false) })
		a.wg.Go(func() { a.pump(client, server, true) })
	}
}

// pump passes bytes on; a reply that is lost takes its connection with it.
func (a *adversary) pump(to, from net.Conn, replies bool) {
	defer func() { _ = to.Close() }()
	defer func() { _ = from.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			a.frozen.RLock()
			lost := replies && a.lose.Load() > 0 && a.lose.Add(-1) >= 0
			a.frozen.RUnlock()
			if lost {
				return
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// unreliable loses notices and tells others twice.
type unreliable struct{ to stream.Sink }

func (u unreliable) Notify(n stream.Notice) {
	switch rand.IntN(4) {
	case 0:
	case 1:
		u.to.Notify(n)
		u.to.Notify(n)
	default:
		u.to.Notify(n)
	}
}

func (u unreliable) Resync(buckets []uint16) { u.to.Resync(buckets) }

// world is one session under two replicas that get in each other's way.
type world struct {
	replicas [2]*replica
	between  [2]*adversary
	caller   tenants.Caller
	sid      string
	turns    int

	mu      sync.Mutex
	granted map[string]string // batch/position → host that was told yes
	ended   map[string]string // batch/position → result as first seen
	fences  map[string]int64  // host → the last that it was told
	broken  string            // the first promise that was broken
}

func (w *world) breach(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken == "" {
		w.broken = fmt.Sprintf(format, args...)
	}
}

// note remembers what a replica answered of a batch: a result never changes.
func (w *world) note(b sessions.Batch) {
	for _, c := range b.Calls {
		if c.Result == nil {
			continue
		}
		key := fmt.Sprintf("%s/%d", b.ID, c.Position)
		text, err := json.Marshal(c.Result)
		if err != nil {
			w.breach("result of %s: %v", key, err)
		}
		w.mu.Lock()
		before, seen := w.ended[key]
		if !seen {
			w.ended[key] = string(text)
		}
		w.mu.Unlock()
		if seen && before != string(text) {
			w.breach("the result of %s changed:\n%s\n%s", key, before, text)
		}
	}
}

func (w *world) noteClaims(batch, host string, claims []sessions.Claim) {
	for _, c := range claims {
		if !c.Granted {
			continue
		}
		key := fmt.Sprintf("%s/%d", batch, c.Position)
		w.mu.Lock()
		other, taken := w.granted[key]
		w.granted[key] = host
		w.mu.Unlock()
		if taken && other != host {
			w.breach("%s was granted to %s and to %s", key, other, host)
		}
	}
}

// allowed are the refusals that a race or an outage explains.
func (w *world) allowed(err error) {
	if err == nil {
		return
	}
	if _, ok := errors.AsType[*sessions.Problem](err); !ok {
		w.breach("an answer is no problem: %v", err)
	}
}

// step does one random thing through one replica.
func (w *world) step(r *replica, rng *rand.Rand) {
	ctx := context.Background()
	s, err := r.Get(ctx, w.caller, w.sid)
	w.allowed(err)
	if err != nil {
		return
	}
	switch {
	case s.OpenBatchID == nil:
		w.submit(ctx, r, rng)
	case rng.IntN(8) == 0:
		_, err := r.SetMode(ctx, w.caller, w.sid, pick(rng, permissions.ModeDefault, permissions.ModePlan, permissions.ModeYolo))
		w.allowed(err)
	case rng.IntN(6) == 0:
		w.changeHosts(ctx, r, rng)
	case len(s.OpenApprovals) > 0:
		option := pick(rng, "allow_once", "allow_session", "reject", "restore_previous")
		_, err := r.Respond(ctx, w.caller, sessions.Idempotency{}, s.OpenApprovals[0], sessions.Response{OptionID: option})
		w.allowed(err)
	default:
		w.serve(ctx, r, rng, *s.OpenBatchID)
	}
}

func (w *world) submit(ctx context.Context, r *replica, rng *rand.Rand) {
	w.mu.Lock()
	w.turns++
	n := w.turns
	w.mu.Unlock()
	in := sessions.Submission{Format: "native", TurnID: new(fmt.Sprintf("t%d", n))}
	for i := range 1 + rng.IntN(4) {
		name := pick(rng, "read_file", "write_file", "enter_plan_mode", "exit_plan_mode", "run_shell_command", "nothing")
		arguments := map[string]string{
			"write_file": `{"file_path":"a"}`, "read_file": `{"file_path":"a"}`, "run_shell_command": `{"command":"ls"}`,
			"exit_plan_mode": `{"plan":"p"}`, "enter_plan_mode": `{}`, "nothing": `{}`,
		}[name]
		in.Calls = append(in.Calls, call(fmt.Sprintf("c%d_%d_x", n, i), name, arguments))
	}
	reply, err := r.Submit(ctx, w.caller, sessions.Idempotency{}, w.sid, in)
	w.allowed(err)
	w.note(reply.Value)
}

// changeHosts lets a host come, go or give a sign of life. What it is told of
// its fence it may use long after it was lost.
func (w *world) changeHosts(ctx context.Context, r *replica, rng *rand.Rand) {
	from := w.sender(rng)
	switch rng.IntN(4) {
	case 0, 1:
		reply, err := r.Attach(ctx, w.caller, sessions.Idempotency{}, w.sid, sessions.AttachRequest{HostID: pick(rng, "h1", "h2")})
		w.allowed(err)
		if err == nil {
			w.mu.Lock()
			w.fences[reply.Value.HostID] = reply.Value.Fence
			w.mu.Unlock()
		}
	case 2:
		w.allowed(r.Detach(ctx, w.caller, w.sid, from))
	default:
		_, err := r.Heartbeat(ctx, w.caller, w.sid, from)
		w.allowed(err)
	}
}

// sender is a host with the last fence that it was told of, or without one.
func (w *world) sender(rng *rand.Rand) scheduler.Sender {
	w.mu.Lock()
	defer w.mu.Unlock()
	host := pick(rng, "h1", "h2")
	return scheduler.Sender{Host: host, Fence: pick(rng, 0, w.fences[host])}
}

// serve claims, reports or aborts.
func (w *world) serve(ctx context.Context, r *replica, rng *rand.Rand, bid string) {
	b, err := r.Batch(ctx, w.caller, w.sid, bid, 0)
	w.allowed(err)
	w.note(b)
	for _, c := range b.Calls {
		from := w.sender(rng)
		switch c.State {
		case "dispatched":
			reply, err := r.Claim(ctx, w.caller, sessions.Idempotency{}, w.sid, bid,
				sessions.ClaimRequest{HostID: from.Host, Fence: given(from.Fence), Positions: []int{c.Position}})
			w.allowed(err)
			w.noteClaims(bid, from.Host, reply.Value)
			return
		case "claimed":
			report := succeed(c.Position, "done "+from.Host)
			report.HostID, report.Fence = &from.Host, given(from.Fence)
			reply, err := r.Report(ctx, w.caller, sessions.Idempotency{}, w.sid, bid, report)
			w.allowed(err)
			w.note(reply.Value)
			return
		default: // nothing for a host to do
		}
	}
	if rng.IntN(10) == 0 {
		reply, err := r.Abort(ctx, w.caller, sessions.Idempotency{}, w.sid, bid)
		w.allowed(err)
		w.note(reply.Value)
	}
}

// given is a fence as it is sent; none, if there is none.
func given(fence int64) *int64 {
	if fence == 0 {
		return nil
	}
	return &fence
}

func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// TestTwoReplicasAndAnAdversaryKeepThePromises drives one session through two
// replicas at once while replies get lost after the commit, notices get lost or
// come twice, and one replica freezes for a while.
func TestTwoReplicasAndAnAdversaryKeepThePromises(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	w := &world{caller: caller()}
	for i := range w.replicas {
		w.between[i] = newAdversary(t, server.Addr())
		w.replicas[i] = start(t, w.between[i].url(), func(s stream.Sink) stream.Sink { return unreliable{s} })
	}
	rapid.Check(t, func(rt *rapid.T) {
		w.mu.Lock()
		w.granted, w.ended, w.broken = map[string]string{}, map[string]string{}, ""
		w.fences = map[string]int64{}
		w.mu.Unlock()
		w.sid = create(t, w.replicas[0], w.caller, func(s *sessions.Spec) {
			s.Loop = nil
			s.Rules = &permissions.Rules{Ask: []string{"run_shell_command"}, Allow: []string{"read_file", "write_file"}}
		}).ID
		seed := rapid.Uint64().Draw(rt, "seed")
		steps := rapid.IntRange(5, 40).Draw(rt, "steps")
		lost := rapid.IntRange(0, 3).Draw(rt, "lost replies")
		var g sync.WaitGroup
		for i, r := range w.replicas {
			g.Go(func() {
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				for n := range steps {
					if n%10 == 5 {
						w.between[i].lose.Store(int32(lost))
					}
					w.step(r, rng)
				}
			})
		}
		g.Go(func() { w.freezeOnce(0, seed) })
		g.Wait()
		w.between[0].lose.Store(0)
		w.between[1].lose.Store(0)
		w.verify(rt)
	})
}

// freezeOnce holds one replica back until the other has made some progress.
func (w *world) freezeOnce(i int, seed uint64) {
	a := w.between[i]
	a.frozen.Lock()
	defer a.frozen.Unlock()
	other := w.replicas[1-i]
	for range 3 {
		w.step(other, rand.New(rand.NewPCG(seed, 99)))
	}
}

// verify compares the log, the documents and what clients were told.
func (w *world) verify(t *rapid.T) {
	w.mu.Lock()
	require.Empty(t, w.broken)
	w.mu.Unlock()
	ended, completed := map[string]string{}, map[string]int{}
	for _, e := range log(t, w.replicas[1], w.caller, w.sid) {
		switch e.Type {
		case "call.result":
			require.Zero(t, completed[e.BatchID], "a result after its batch ended")
			var result struct {
				Position int `json:"position"`
			}
			require.NoError(t, json.Unmarshal(e.Data, &result))
			key := fmt.Sprintf("%s/%d", e.BatchID, result.Position)
			require.NotContains(t, ended, key, "two results for one call")
			ended[key] = string(e.Data)
		case "batch.completed":
			completed[e.BatchID]++
			require.Equal(t, 1, completed[e.BatchID])
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, told := range w.ended {
		require.JSONEq(t, ended[key], told, "what a client was told is not in the log: %s", key)
	}
	w.verifyDocuments(t, ended, completed)
}

func (w *world) verifyDocuments(t *rapid.T, ended map[string]string, completed map[string]int) {
	page, err := w.replicas[0].Batches(context.Background(), w.caller, w.sid, 100, "")
	require.NoError(t, err)
	for _, b := range page.Data {
		open := b.Status == "running"
		require.Equal(t, !open, completed[b.ID] == 1, "batch %s is %s", b.ID, b.Status)
		for _, c := range b.Calls {
			key := fmt.Sprintf("%s/%d", b.ID, c.Position)
			require.Equal(t, c.Result != nil, ended[key] != "", "call %s: ledger and log part", key)
			require.True(t, open || c.Result != nil, "call %s has no result", key)
			if c.Result != nil && c.Result.StartedAt != nil && c.HostID != nil && w.granted[key] != "" {
				require.Equal(t, w.granted[key], *c.HostID, "call %s", key)
			}
		}
	}
}
