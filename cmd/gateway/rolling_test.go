package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/porttest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// fleet is replicas on one Redis and the clients' way to them. A client goes
// to the next replica when one refuses the connection, is draining or leaves it
// to those of a newer build, and takes every other failure for what it is.
type fleet struct {
	t     *testing.T
	redis *redistest.Server
	flags []string
	next  string // the program that takes a replica's place
	via   string // the base of a proxy in front: clients know nothing else
	// settled waits until the proxy has seen that a replica is back.
	settled func(n int)
	// passedOn is how many requests a replica left to those of a newer build.
	passedOn atomic.Int64

	mu       sync.RWMutex // guards the replicas
	replicas []*process
}

const (
	fleetDrain = 8 * time.Second
	// stopSlack is what a busy machine may add to the time of a stop.
	stopSlack = 30 * time.Second
)

func startFleet(t *testing.T, size int) *fleet {
	t.Helper()
	f := &fleet{t: t, redis: redistest.Start(t), next: "gateway"}
	f.flags = []string{"--redis=" + f.redis.URL(), "--bootstrap=" + bootstrapFile(t), "--drain=" + fleetDrain.String()}
	for range size {
		f.replicas = append(f.replicas, startProcess(t, append([]string{"--listen=" + porttest.Addr()}, f.flags...)...))
	}
	return f
}

func (f *fleet) base(n int) string {
	if f.via != "" {
		return f.via
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.replicas[n%len(f.replicas)].base
}

// roll stops each replica in turn and puts a new one in its place, at the same
// address: proxies know it.
func (f *fleet) roll() {
	for i := range f.replicas {
		require.NoError(f.t, f.replicas[i].cmd.Process.Signal(syscall.SIGTERM))
		<-f.replicas[i].done
		require.Zero(f.t, f.replicas[i].cmd.ProcessState.ExitCode())
		addr := strings.TrimPrefix(f.replicas[i].base, "http://")
		next := startProgram(f.t, f.next, append([]string{"--listen=" + addr}, f.flags...)...)
		f.mu.Lock()
		f.replicas[i] = next
		f.mu.Unlock()
		if f.settled != nil {
			f.settled(i)
		}
	}
}

// elsewhere says that another replica is to be asked. A proxy does that itself:
// behind one every failure is one.
func (f *fleet) elsewhere(err error) bool {
	if f.via != "" {
		return false
	}
	var op *net.OpError
	var r *casetest.Refusal
	if errors.As(err, &r) && ofNewerBuild(r) {
		f.passedOn.Add(1)
		return true
	}
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &r) && r.Code == "draining"
}

// worker is a host with a session of its own. It notes what was acknowledged.
type worker struct {
	fleet   *fleet
	client  *casetest.Client
	at      int // the replica that it asks
	sid     string
	batches int
}

// do asks replicas until one answers.
func (w *worker) do(ctx context.Context, path string, body, into any) error {
	w.batches++
	call := casetest.Call{
		Method: http.MethodPost, Path: path, Body: body,
		Header: map[string]string{"Idempotency-Key": fmt.Sprintf("%s-%d", w.sid, w.batches)},
	}
	for {
		w.at++
		err := w.client.At(w.fleet.base(w.at)).Send(ctx, call, into)
		if err == nil || !w.fleet.elsewhere(err) {
			return err
		}
	}
}

// work runs batches until told to stop and answers how many were completed.
func (w *worker) work(ctx context.Context, stop *atomic.Bool) (completed []string, err error) {
	for !stop.Load() {
		var b casetest.Batch
		err := w.do(ctx, "/v1/sessions/"+w.sid+"/batches", object{"host_id": "h", "calls": []object{
			{"id": fmt.Sprint("a", len(completed)), "name": "read_file", "arguments": object{"path": fmt.Sprint(len(completed))}},
			{"id": fmt.Sprint("b", len(completed)), "name": "read_file", "arguments": object{"path": fmt.Sprint(len(completed))}},
		}}, &b)
		if err != nil {
			return completed, err
		}
		err = w.do(ctx, "/v1/sessions/"+w.sid+"/batches/"+b.ID+"/results", object{"host_id": "h", "results": []object{
			{"position": 0, "status": "success", "output": b.ID}, {"position": 1, "status": "success", "output": b.ID},
		}}, &b)
		if err != nil {
			return completed, err
		}
		completed = append(completed, b.ID)
	}
	return completed, nil
}

// watch follows the session from replica to replica until it is closed.
func (w *worker) watch(ctx context.Context) ([]casetest.Event, error) {
	var all []casetest.Event
	var place casetest.Chain
	for n := 0; ; n++ {
		feed, err := w.client.At(w.fleet.base(n)).Follow(ctx, w.sid, place)
		if w.fleet.elsewhere(err) {
			continue
		}
		if err != nil {
			return all, err
		}
		events, _ := feed.Until(ctx, func(e casetest.Event) bool { return e.Type == "session.closed" }) // it ends as the replica does
		feed.Close()
		all, place = append(all, events...), feed.Place()
		if len(all) > 0 && all[len(all)-1].Type == "session.closed" || ctx.Err() != nil {
			return all, ctx.Err()
		}
	}
}

func TestARollingRestartUnderLoadFailsNoRequestAndLosesNothing(t *testing.T) {
	t.Parallel()
	rollUnderLoad(t, startFleet(t, 3))
}

// rollUnderLoad restarts a fleet replica by replica while hosts work and
// readers watch, and wants no failed request and no event lost or told twice.
func rollUnderLoad(t *testing.T, f *fleet) {
	t.Helper()
	first := standAt(t, f.base(0))
	ctx, cancel := context.WithTimeout(t.Context(), 3*e2eTimeout)
	defer cancel()
	var stop atomic.Bool
	var working, watching sync.WaitGroup
	workers := make([]*worker, 4)
	done, seen := make([][]string, len(workers)), make([][]casetest.Event, len(workers))
	for i := range workers {
		s := first.session(t, `{"tools": "@standard", "loop": {"identical_calls": 0, "calls_per_turn": 0}}`)
		workers[i] = &worker{fleet: f, client: first.Host, at: i, sid: s.ID}
		watching.Go(func() {
			var err error
			seen[i], err = workers[i].watch(ctx)
			assert.NoError(t, err)
		})
		working.Go(func() {
			var err error
			done[i], err = workers[i].work(ctx, &stop)
			assert.NoError(t, err, "a request failed")
		})
	}
	f.roll()
	stop.Store(true)
	working.Wait()
	last := standAt(t, f.base(0))
	for _, w := range workers {
		require.NoError(t, last.Host.CloseSession(ctx, w.sid))
	}
	watching.Wait()
	for i, w := range workers {
		require.NotEmpty(t, done[i])
		require.Equal(t, done[i], completions(seen[i]), "every acknowledged batch is on the stream once, in order")
		last.sameAsLog(t, w.sid, seen[i])
	}
}

// completions are the batches that completed, as a stream tells.
func completions(events []casetest.Event) (ids []string) {
	for _, e := range events {
		if e.Type == "batch.completed" {
			ids = append(ids, e.BatchID)
		}
	}
	return ids
}

func TestAReplicaThatStopsIsNotReadyAtOnceAndServesOnForAMoment(t *testing.T) {
	t.Parallel()
	f := startFleet(t, 1)
	s := standAt(t, f.base(0))
	sid := s.session(t, `{"tools": "@standard"}`).ID
	b := s.submit(t, sid, `{"calls": [{"id": "r", "name": "read_file", "arguments": {}}]}`)
	poll := make(chan error, 1)
	go func() {
		_, err := s.Host.Batch(t.Context(), sid, b.ID, "60s")
		poll <- err
	}()
	feed := s.follow(t, sid, casetest.Chain{})
	until(t, feed, "call.dispatched")
	told := time.Now()
	require.NoError(t, f.replicas[0].cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool {
		a, err := s.outsider.Do(t.Context(), casetest.Call{Method: http.MethodGet, Path: "/readyz"})
		return err == nil && a.Status == http.StatusServiceUnavailable
	}, e2eTimeout, 1)
	require.NoError(t, <-poll, "the long-poll is answered")
	_, err := s.Host.Follow(t.Context(), sid, casetest.Chain{})
	refused(t, err, http.StatusServiceUnavailable, "draining")
	_, err = s.Host.Report(t.Context(), sid, b.ID, "h", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(t, err, "who has not noticed is served")
	until(t, feed, "batch.completed")
	require.Eventually(t, func() bool {
		_, err := s.outsider.Do(t.Context(), casetest.Call{Method: http.MethodGet, Path: "/healthz"})
		return f.elsewhere(err)
	}, e2eTimeout, 1, "it listens no more")
	leave, _ := partings(fleetDrain)
	require.GreaterOrEqual(t, time.Since(told), leave, "but it did as long as balancers need")
	<-f.replicas[0].done
	require.Less(t, time.Since(told), fleetDrain+stopSlack)
	require.Zero(t, f.replicas[0].cmd.ProcessState.ExitCode())
}
