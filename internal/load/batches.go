package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// workers send batches at the same time, each in a session of its own.
	workers = 8
	// crowdOfWorkers does the same where several replicas are to have enough to
	// do for both cores.
	crowdOfWorkers = 32
)

// work is a load of batches on some gateways with one Redis.
type work struct {
	gateways []*process
	redis    *process
	calls    int
	workers  int
	batches  int           // of each worker
	pace     time.Duration // of a worker's batches; 0: as fast as they go
	settled  bool          // a session's requests stay at one gateway
}

// end stops all servers.
func (w *work) end() {
	for _, g := range w.gateways {
		g.end()
	}
	w.redis.end()
}

// startWork starts a Redis and gateways on it.
func startWork(ctx context.Context, o options, gateways int, flags ...string) (*work, error) {
	redis, err := startRedis(ctx)
	if err != nil {
		return nil, err
	}
	w := &work{redis: redis, workers: workers}
	for range gateways {
		g, err := gateway(ctx, o, append(flags, "--redis="+redis.base)...)
		if err != nil {
			w.end()
			return nil, err
		}
		w.gateways = append(w.gateways, g)
	}
	return w, nil
}

func (w *work) cpu() (time.Duration, error) {
	var sum time.Duration
	for _, p := range append([]*process{w.redis}, w.gateways...) {
		d, err := p.cpu()
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}

// run sends batches and their results, and waits until all have ended.
func (w *work) run(ctx context.Context) (cost, error) {
	return measured(w.cpu, func() (int, error) {
		g, ctx := errgroup.WithContext(ctx)
		for n := range w.workers {
			g.Go(func() error { return w.worker(ctx, n) })
		}
		return w.workers * w.batches, g.Wait()
	})
}

// worker is a host that runs its own batches: submit, report, next. Every
// request goes to the next gateway, unless its session is settled.
func (w *work) worker(ctx context.Context, n int) error {
	at := n
	next := func() *process {
		if !w.settled {
			at++
		}
		return w.gateways[at%len(w.gateways)]
	}
	sid, err := next().createSession(ctx, `{"tools":[{"name":"t","kind":"read"}],"loop":{"identical_calls":0,"calls_per_turn":0}}`)
	if err != nil {
		return err
	}
	began := time.Now()
	for b := range w.batches {
		if err := pause(ctx, time.Until(began.Add(time.Duration(b)*w.pace))); err != nil {
			return err
		}
		var batch struct {
			ID string `json:"id"`
		}
		if err := next().do(ctx, http.MethodPost, "/v1/sessions/"+sid+"/batches", w.submission(b), &batch); err != nil {
			return err
		}
		if err := w.report(ctx, next, sid, batch.ID); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) submission(n int) []byte {
	type call struct {
		ID        string         `json:"id"`
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	calls := make([]call, w.calls)
	for i := range calls {
		calls[i] = call{fmt.Sprintf("toolu_%d_%d", n, i), "t", map[string]any{"file_path": fmt.Sprintf("f%d", i)}}
	}
	return encode(map[string]any{"host_id": "h", "calls": calls})
}

// inFlight is how many calls of a batch the gateway offers at once.
const inFlight = 10

// report answers the calls of a batch, as many at once as are in flight.
func (w *work) report(ctx context.Context, next func() *process, sid, bid string) error {
	type result struct {
		Position int    `json:"position"`
		Status   string `json:"status"`
		Output   string `json:"output"`
	}
	for from := 0; from < w.calls; from += inFlight {
		var results []result
		for i := from; i < min(from+inFlight, w.calls); i++ {
			results = append(results, result{i, "success", "done"})
		}
		body := encode(map[string]any{"host_id": "h", "results": results})
		if err := next().do(ctx, http.MethodPost, "/v1/sessions/"+sid+"/batches/"+bid+"/results", body, nil); err != nil {
			return err
		}
	}
	return nil
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps and slices of plain values
	}
	return b
}

// measureBatches is how many batches go all the way in a second, beside what
// Redis does with scripts of about the same bytes.
func measureBatches(ctx context.Context, o options) ([]row, error) {
	var rows []row
	for _, calls := range []int{1, 4, 32} {
		w, err := startWork(ctx, o, 1)
		if err != nil {
			return nil, err
		}
		w.calls, w.batches = calls, 200
		var rates, evals []float64
		for range o.rounds {
			c, err := w.run(ctx)
			if err != nil {
				w.end()
				return nil, err
			}
			e, err := w.redis.evals(ctx, 1000*(calls+1))
			if err != nil {
				w.end()
				return nil, err
			}
			rates, evals = append(rates, c.perSecond), append(evals, e)
		}
		w.end()
		ours, theirs := median(rates), median(evals)
		rows = append(rows, row{
			fmt.Sprintf("batches of %d calls, submit to end, beside EVAL of the same bytes", calls),
			perSecond(ours), perSecond(theirs), ours / theirs, 0,
		})
	}
	return rows, nil
}

// sessionSizes are how many sessions are in Redis; the first is what the others
// are beside.
var sessionSizes = []int{1_000, 10_000, 100_000}

// measureSessions is how a batch's cost grows with the sessions in Redis.
func measureSessions(ctx context.Context, o options) ([]row, error) {
	var works []*work
	defer func() {
		for _, w := range works {
			w.end()
		}
	}()
	for _, n := range sessionSizes {
		w, err := startWork(ctx, o, 1)
		if err != nil {
			return nil, err
		}
		w.calls, w.batches = 4, 200
		works = append(works, w)
		if err := w.fill(ctx, n); err != nil {
			return nil, err
		}
	}
	costs := make([][]float64, len(works))
	for range o.rounds {
		for i, w := range works {
			c, err := w.run(ctx)
			if err != nil {
				return nil, err
			}
			costs[i] = append(costs[i], c.cpu)
		}
	}
	var rows []row
	few := median(costs[0])
	for i, n := range sessionSizes[1:] {
		many := median(costs[i+1])
		name := fmt.Sprintf("CPU of a 4-call batch at %d sessions beside %d", n, sessionSizes[0])
		rows = append(rows, row{name, micros(many), micros(few), many / few, 1.10})
	}
	return rows, nil
}

// fill makes sessions.
func (w *work) fill(ctx context.Context, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		g.Go(func() error {
			for range n / workers {
				if _, err := w.gateways[i%len(w.gateways)].createSession(ctx, "{}"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
