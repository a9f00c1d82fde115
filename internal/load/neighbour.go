package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// noisyKey is the key of the tenant that floods.
	noisyKey = "noisy-key"
	// noisyLimit is what that tenant may ask a minute, noisyBatches how many
	// batches of it.
	noisyLimit, noisyBatches = 3000, 600
	// noisyPace is how often it asks: 500 times a second, ten times what it may.
	noisyPace = 2 * time.Millisecond
	// quietPace is how often each worker of the other tenant asks.
	quietPace = 20 * time.Millisecond
	// neighbourSlice is how long it goes with and without noise in turn: short,
	// so that what else runs on the machine falls on both alike.
	neighbourSlice = time.Second
	// neighbourSlices are those of a round, of either kind.
	neighbourSlices = 5
)

// noise is a flood of batches in a session, and how it was answered.
type noise struct {
	*process
	sid          string
	let, refused atomic.Int64
}

// measureNeighbour is what one tenant's requests take while another floods the
// same gateway at its limits, beside the same without it.
func measureNeighbour(ctx context.Context, o options) ([]row, error) {
	w, err := startNeighbours(ctx, o)
	if err != nil {
		return nil, err
	}
	defer w.end()
	n := noise{process: w.gateways[0].as(noisyKey)}
	if n.sid, err = n.createSession(ctx, chatty); err != nil {
		return nil, err
	}
	var alone, beside []float64
	for range o.rounds {
		var quiet, noisy []float64
		for range neighbourSlices {
			q, err := w.quiet(ctx)
			if err != nil {
				return nil, err
			}
			b, err := w.beside(ctx, &n)
			if err != nil {
				return nil, err
			}
			quiet, noisy = append(quiet, q...), append(noisy, b...)
		}
		alone, beside = append(alone, p99(quiet)), append(beside, p99(noisy))
	}
	if n.let.Load() == 0 || n.refused.Load() == 0 {
		return nil, errors.New("the noisy tenant was not at its limits")
	}
	ours, theirs := median(beside), median(alone)
	name := fmt.Sprintf("p99 of a tenant's requests while another floods at its limits (%d let in, %d refused), beside alone",
		n.let.Load(), n.refused.Load())
	return []row{{name, millis(ours), millis(theirs), ours / theirs, 1.20}}, nil
}

// startNeighbours starts a gateway with two tenants, of which one has limits.
func startNeighbours(ctx context.Context, o options) (*work, error) {
	dir, err := os.MkdirTemp("", "load-tenants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is read at the start only
	file := filepath.Join(dir, "tenants.json")
	limits := map[string]int{"requests_per_minute": noisyLimit, "batches_per_minute": noisyBatches}
	err = os.WriteFile(file, encode(map[string]any{"tenants": []any{
		tenant("quiet", key, nil), tenant("noisy", noisyKey, map[string]any{"limits": limits}),
	}}), 0o600)
	if err != nil {
		return nil, err
	}
	return startWork(ctx, o, 1, "--dev-key=", "--bootstrap="+file)
}

// tenant is a tenant of a bootstrap file.
func tenant(id, key string, settings map[string]any) map[string]any {
	sum := sha256.Sum256([]byte(key))
	return map[string]any{"id": id, "settings": settings, "keys": []any{map[string]any{
		"id": "k", "subject": "k", "roles": []string{"admin"}, "sha256": hex.EncodeToString(sum[:]),
	}}}
}

func p99(took []float64) float64 {
	slices.Sort(took)
	return took[len(took)*99/100]
}

// beside is quiet while the other tenant floods.
func (w *work) beside(ctx context.Context, n *noise) ([]float64, error) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		n.flood(ctx)
		close(done)
	}()
	took, err := w.quiet(ctx)
	stop()
	<-done
	return took, err
}

// quiet are the seconds that the requests of paced workers take, each of whom
// has a session of its own.
func (w *work) quiet(ctx context.Context) ([]float64, error) {
	var mu sync.Mutex
	var took []float64
	errs := make(chan error, workers)
	for range workers {
		go func() {
			mine, err := w.paced(ctx)
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
			errs <- err
		}()
	}
	for range workers {
		if err := <-errs; err != nil {
			return nil, err
		}
	}
	return took, nil
}

// paced sends batches at a fixed pace. A request that is late
// counts from when it was due.
func (w *work) paced(ctx context.Context) ([]float64, error) {
	p := w.gateways[0]
	sid, err := p.createSession(ctx, chatty)
	if err != nil {
		return nil, err
	}
	var took []float64
	began := time.Now()
	for n := 0; time.Since(began) < neighbourSlice; n++ {
		due := began.Add(time.Duration(n) * quietPace)
		if err := pause(ctx, time.Until(due)); err != nil {
			return nil, err
		}
		if err := p.ask(ctx, sid); err != nil {
			return nil, err
		}
		took = append(took, time.Since(due).Seconds())
	}
	return took, nil
}

// ask sends a session a batch of one call that is refused at once.
func (p *process) ask(ctx context.Context, sid string) error {
	return p.do(ctx, http.MethodPost, "/v1/sessions/"+sid+"/batches", []byte(`{"calls":[{"name":"none"}]}`), nil)
}

// count counts an answer; one that the round's end cut off is none.
func (n *noise) count(err error) {
	if refused, ok := errors.AsType[*refusedError](err); ok && refused.status == http.StatusTooManyRequests {
		n.refused.Add(1)
	} else if err == nil {
		n.let.Add(1)
	}
}

// flood sends batches at a fixed rate, whatever the answers, until ctx ends.
func (n *noise) flood(ctx context.Context) {
	var g sync.WaitGroup
	defer g.Wait()
	slots := make(chan struct{}, workers) // as many connections as the other has
	tick := time.NewTicker(noisyPace)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		select {
		case slots <- struct{}{}:
		default:
			continue // the gateway is slower than the flood
		}
		g.Go(func() {
			defer func() { <-slots }()
			n.count(n.ask(ctx, n.sid))
		})
	}
}
