package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// workers send batches at the same time, each in a session of its own.
const workers = 8

// work is a load of batches on some gateways with one Redis.
type work struct {
	gateways []*process
	redis    *process
	calls    int
	batches  int  // of each worker
	settled  bool // a session's requests stay at one gateway
}

// cost is what a load took.
type cost struct {
	perSecond float64 // batches
	cpu       float64 // seconds a batch, gateways and Redis
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
	w := &work{redis: redis}
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
	before, err := w.cpu()
	if err != nil {
		return cost{}, err
	}
	began := time.Now()
	errs := make(chan error, workers)
	var g sync.WaitGroup
	for n := range workers {
		g.Go(func() { errs <- w.worker(ctx, n) })
	}
	g.Wait()
	for range workers {
		if err := <-errs; err != nil {
			return cost{}, err
		}
	}
	took := time.Since(began)
	after, err := w.cpu()
	done := float64(workers * w.batches)
	return cost{perSecond: done / took.Seconds(), cpu: (after - before).Seconds() / done}, err
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
	for b := range w.batches {
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
			fmt.Sprintf("%.0f /s", ours), fmt.Sprintf("%.0f /s", theirs), ours / theirs, 0,
		})
	}
	return rows, nil
}

// measureSessions is how a batch's cost grows with the sessions in Redis.
func measureSessions(ctx context.Context, o options) ([]row, error) {
	w, err := startWork(ctx, o, 1)
	if err != nil {
		return nil, err
	}
	defer w.end()
	w.calls, w.batches = 4, 200
	var rows []row
	var few float64
	made := 0
	for _, sessions := range []int{1_000, 10_000, 100_000} {
		if err := w.fill(ctx, sessions-made); err != nil {
			return nil, err
		}
		made = sessions
		cost, err := w.medianCPU(ctx, o.rounds)
		if err != nil {
			return nil, err
		}
		if few == 0 {
			few = cost
			continue
		}
		rows = append(rows, row{
			fmt.Sprintf("CPU of a 4-call batch at %d sessions beside 1000", sessions), micros(cost), micros(few), cost / few, 1.10,
		})
	}
	return rows, nil
}

func (w *work) medianCPU(ctx context.Context, rounds int) (float64, error) {
	var all []float64
	for range rounds {
		c, err := w.run(ctx)
		if err != nil {
			return 0, err
		}
		all = append(all, c.cpu)
	}
	return median(all), nil
}

// fill makes sessions.
func (w *work) fill(ctx context.Context, n int) error {
	errs := make(chan error, workers)
	for i := range workers {
		go func() {
			for range n / workers {
				if _, err := w.gateways[i%len(w.gateways)].createSession(ctx, "{}"); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range workers {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// spread is how a load is put on gateways.
type spread struct {
	replicas int
	settled  bool
}

// spreads are measured in turn. Settled sessions are the control: what several
// programs cost on these cores that find nothing changed by others.
var spreads = []spread{{replicas: 1}, {replicas: 2}, {replicas: 3}, {replicas: 3, settled: true}}

// measureReplicas is what a batch costs on three replicas beside one: each
// request finds a document that another replica wrote last.
func measureReplicas(ctx context.Context, o options) ([]row, error) {
	costs, rates := map[spread][]float64{}, map[spread][]float64{}
	for range o.rounds {
		for _, s := range spreads {
			c, err := s.run(ctx, o)
			if err != nil {
				return nil, err
			}
			costs[s], rates[s] = append(costs[s], c.cpu), append(rates[s], c.perSecond)
		}
	}
	beside := func(name string, these, those spread, goal float64) row {
		ours, theirs := median(costs[these]), median(costs[those])
		return row{name, micros(ours), micros(theirs), ours / theirs, goal}
	}
	var rows []row
	for _, s := range spreads[1:3] {
		one, more := median(rates[spreads[0]]), median(rates[s])
		rows = append(rows,
			beside(fmt.Sprintf("CPU of a 4-call batch on %d replicas beside one, each request at the next", s.replicas), s, spreads[0], 1.10),
			row{
				fmt.Sprintf("batches a second on one replica beside %d", s.replicas),
				fmt.Sprintf("%.0f /s", one), fmt.Sprintf("%.0f /s", more), one / more, 1.10,
			})
	}
	return append(rows,
		beside("CPU of a 4-call batch on 3 replicas beside one, each session at one of them", spreads[3], spreads[0], 0),
		beside("CPU of a 4-call batch on 3 replicas, each request at the next beside each session at one", spreads[2], spreads[3], 0),
	), nil
}

// run is what the load costs once.
func (s spread) run(ctx context.Context, o options) (cost, error) {
	w, err := startWork(ctx, o, s.replicas)
	if err != nil {
		return cost{}, err
	}
	defer w.end()
	w.calls, w.batches, w.settled = 4, 200, s.settled
	return w.run(ctx)
}
