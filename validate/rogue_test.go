package validate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/client"
)

// rogue is the smallest host there is, with habits that may break a rule. Each
// habit that is left out is the good one.
type rogue struct {
	*client.Client
	sid   string
	fence int64
	files sync.Map // what write made, by name

	handle func(context.Context, *rogue, string, client.Dispatched) error // an offered call
	model  [][]string                                                     // the tools that its model calls, response by response
	send   func(response int, results []result) []result                  // what of the results it says that its model is sent
	all    bool                                                           // it runs what its model calls, whatever the gateway says
	lazy   bool                                                           // who waits for it need not be patient
	within time.Duration                                                  // in which it has to claim; 0: the default
	// timeout is what its calls have, in seconds; 0: the default.
	timeout int
	rest    bool // it doesn't end its turns
}

// result is an entry of a model request in the native format.
type result = map[string]any

// run attaches and serves until ctx ends.
func (r *rogue) run(ctx context.Context) error {
	attached, err := r.Attach(ctx, r.sid, client.Attachment{HostID: "rogue", TTLS: new(300)}) // it sends no heartbeats
	if err != nil {
		return err
	}
	r.fence = attached.Fence
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.listen(ctx, g) })
	return g.Wait()
}

// listen serves each event that is for it, in a goroutine of its own.
func (r *rogue) listen(ctx context.Context, g *errgroup.Group) error {
	for e, err := range r.Events(ctx, r.sid, client.StreamOptions{}) {
		if err != nil {
			return err
		}
		event, err := e.Event()
		if err != nil {
			return err
		}
		g.Go(func() error { return unlessTaken(r.act(ctx, event)) })
	}
	return nil
}

func (r *rogue) act(ctx context.Context, e client.Event) error {
	switch e.Type {
	case client.EventTypeCallDispatched:
		var d client.Dispatched
		if err := json.Unmarshal(e.Data, &d); err != nil {
			return err
		}
		if d.HostID != nil { // of its own turn, where it is run at once
			return nil
		}
		if r.handle != nil {
			return r.handle(ctx, r, *e.BatchID, d)
		}
		return r.obey(ctx, *e.BatchID, d)
	case client.EventTypeTurnStarted:
		var started client.TurnStarted
		if err := json.Unmarshal(e.Data, &started); err != nil {
			return err
		}
		return r.answer(ctx, started.Turn)
	default:
		return nil
	}
}

// obey claims a call, runs it and reports it, as a host should.
func (r *rogue) obey(ctx context.Context, bid string, d client.Dispatched) error {
	if err := r.claim(ctx, bid, d); err != nil {
		return err
	}
	return r.report(ctx, bid, d.Position, r.do(d.Tool, d.Arguments))
}

func (r *rogue) claim(ctx context.Context, bid string, d client.Dispatched) error {
	claims, err := r.Claim(ctx, r.sid, bid, client.ClaimRequest{HostID: "rogue", Fence: &r.fence, Positions: &[]int{d.Position}})
	if err == nil && !claims[0].Granted {
		return &client.ProblemError{Problem: client.Problem{Code: client.CodeCallNotDispatched}}
	}
	return err
}

func (r *rogue) report(ctx context.Context, bid string, position int, output string) error {
	_, err := r.Report(ctx, r.sid, bid, client.ResultReport{HostID: new("rogue"), Fence: &r.fence, Results: []client.HostResult{{
		Position: &position, Status: client.HostResultStatusSuccess, Output: output,
	}}})
	return err
}

// do runs a tool: look and find say their names, write keeps a file.
func (r *rogue) do(tool string, arguments json.RawMessage) string {
	var in struct{ Name string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return err.Error()
	}
	switch tool {
	case "write":
		r.files.Store(in.Name, true)
	case "look":
		if _, ok := r.files.Load(in.Name); ok {
			return "there is " + in.Name
		}
	}
	return "the output of " + tool
}

// answer goes through a turn as its model says.
func (r *rogue) answer(ctx context.Context, t client.Turn) error {
	tid, name := t.ID, (*t.Input)[0]["text"]
	arguments, err := json.Marshal(map[string]any{"name": name})
	if err != nil {
		return err
	}
	for i, tools := range r.model {
		calls := make([]client.NativeCall, len(tools))
		for k, tool := range tools {
			calls[k] = client.NativeCall{ID: new(fmt.Sprintf("turn_%s_%d_%d", tid, i, k)), Name: tool}
			if tool == "write" {
				calls[k].Arguments = arguments
			}
		}
		b, err := r.Submit(ctx, r.sid, client.BatchSubmission{TurnID: &tid, HostID: new("rogue"), Fence: &r.fence, Calls: &calls})
		if err != nil {
			return err
		}
		for k, c := range b.Calls {
			if r.all {
				r.do(c.Tool, calls[k].Arguments)
			}
			if c.State == client.CallStateClaimed {
				if err := r.report(ctx, b.ID, c.Position, "the output of "+c.Tool); err != nil {
					return err
				}
			}
		}
		if err := r.tell(ctx, i, b.ID); err != nil {
			return err
		}
	}
	if _, err := r.Say(ctx, r.sid, tid, client.Message{Text: "done"}); err != nil || r.rest {
		return err
	}
	_, err = r.CompleteTurn(ctx, r.sid, tid, client.TurnCompletion{StopReason: client.TurnCompletionStopReasonEndTurn})
	return err
}

// tell reports what the model is sent next.
func (r *rogue) tell(ctx context.Context, response int, bid string) error {
	next, err := r.NextRequest(ctx, r.sid, bid, client.Native)
	if err != nil {
		return err
	}
	text, err := json.Marshal(next.Results)
	if err != nil {
		return err
	}
	var results []result
	if err := json.Unmarshal(text, &results); err != nil {
		return err
	}
	if r.send != nil {
		results = r.send(response, results)
	}
	if results == nil {
		return nil
	}
	if text, err = json.Marshal(results); err != nil {
		return err
	}
	_, err = r.CheckModelRequest(ctx, r.sid, client.ModelRequest{Format: client.Native, BatchID: bid, Messages: text})
	return err
}

// unlessTaken drops the refusal of what the gateway has ended meanwhile.
func unlessTaken(err error) error {
	for _, code := range []client.Code{
		client.CodeCallLate, client.CodeCallNotDispatched, client.CodeTurnEnded, client.CodeTurnMismatch, client.CodeBatchIncomplete,
	} {
		if client.Is(err, code) {
			return nil
		}
	}
	return err
}

// pause waits as a slow host does.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
