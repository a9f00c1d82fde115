package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// begin is a client of a gateway that runs for one example. Elsewhere it is
// client.New("https://gateway.example", key).
func begin() (c *client.Client, end func()) {
	base, stop := gatewaytest.Example()
	transport := &http.Transport{}
	c, err := client.New(base, gatewaytest.Key, client.WithHTTPClient(&http.Client{Transport: transport}))
	check(err)
	return c, func() {
		transport.CloseIdleConnections()
		stop()
	}
}

// check stands for handling errors.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// asking is a session with a tool that a person is asked about, and a call of it.
func asking(ctx context.Context, c *client.Client) (client.SessionDocument, client.Batch) {
	session, err := c.CreateSession(ctx, client.SessionSpec{
		Tools: &[]client.ToolSpec{{Name: "write_file", Kind: new(client.Edit)}},
	})
	check(err)
	batch, err := c.Submit(ctx, session.ID, client.BatchSubmission{Calls: &[]client.NativeCall{
		{ID: new("call_a"), Name: "write_file", Arguments: json.RawMessage(`{"file_path": "a.txt"}`)},
	}})
	check(err)
	return session, batch
}

// A host lets the gateway have the calls of a model's answer, runs those that it
// is granted, reports, and asks the model again.
func Example() {
	c, end := begin()
	defer end()
	ctx := context.Background()
	session, err := c.CreateSession(ctx, client.SessionSpec{
		Tools: &[]client.ToolSpec{{Name: "read_file", Kind: new(client.Read)}, {Name: "write_file", Kind: new(client.Edit)}},
		Rules: &client.Rules{Deny: &[]string{"write_file"}},
	})
	check(err)
	batch, err := c.Submit(ctx, session.ID, client.BatchSubmission{
		Format: new(client.Format("anthropic")),
		Message: json.RawMessage(`{"role": "assistant", "stop_reason": "tool_use", "content": [
			{"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"file_path": "a.txt"}},
			{"type": "tool_use", "id": "toolu_2", "name": "write_file", "input": {"file_path": "a.txt"}}]}`),
	})
	check(err)

	claims, err := c.Claim(ctx, session.ID, batch.ID, client.ClaimRequest{HostID: "host-1", Positions: &[]int{0}})
	check(err)
	for _, claim := range claims {
		if !claim.Granted {
			continue
		}
		_, err = c.Report(ctx, session.ID, batch.ID, client.ResultReport{HostID: new("host-1"), Results: []client.HostResult{
			{Position: &claim.Position, Status: "success", Output: "hello"},
		}})
		check(err)
	}

	batch, err = c.Await(ctx, session.ID, batch.ID)
	check(err)
	for _, call := range batch.Calls {
		fmt.Println(call.ID, call.Result.Status, call.Result.ExecutionStatus)
	}
	next, err := c.NextRequest(ctx, session.ID, batch.ID, "anthropic")
	check(err)
	fmt.Println("conforms:", json.Valid(next.Messages))
	// Output:
	// toolu_1 success success
	// toolu_2 error not_started
	// conforms: true
}

// A stream gives every event once and goes on across disconnects.
func ExampleClient_Events() {
	c, end := begin()
	defer end()
	ctx := context.Background()
	session, err := c.CreateSession(ctx, client.SessionSpec{})
	check(err)
	_, err = c.SetMode(ctx, session.ID, client.ModePlan)
	check(err)
	check(c.CloseSession(ctx, session.ID))

	for e, err := range c.Events(ctx, session.ID, client.StreamOptions{Types: []string{"mode.", "session."}}) {
		check(err)
		fmt.Println(e.Type)
		if e.Type == string(client.EventTypeModeChanged) {
			event, err := e.Event()
			check(err)
			var change client.ModeChanged
			check(json.Unmarshal(event.Data, &change))
			fmt.Println("from", change.From, "to", change.To)
		}
	}
	// Output:
	// session.created
	// mode.changed
	// from default to plan
	// session.closed
}

// The first answer to a question wins, and who comes second learns who won.
func ExampleClient_Respond() {
	c, end := begin()
	defer end()
	ctx := context.Background()
	_, batch := asking(ctx, c)
	question := *batch.Calls[0].ApprovalID

	answered, err := c.Respond(ctx, question, client.ApprovalResponse{OptionID: "reject", Feedback: new("Not that file.")})
	check(err)
	fmt.Println(answered.Status)

	_, err = c.Respond(ctx, question, client.ApprovalResponse{OptionID: "allow_once"})
	fmt.Println(client.Is(err, client.CodeApprovalAlreadyResolved))
	if refused, ok := errors.AsType[*client.ProblemError](err); ok {
		fmt.Println(*refused.Problem.ApprovalStatus, "by", *refused.Problem.ResolvedBy)
	}
	// Output:
	// rejected
	// true
	// rejected by developer
}

// A person prompts; the host says what the model says, and ends the turn.
func ExampleClient_StartTurn() {
	c, end := begin()
	defer end()
	ctx := context.Background()
	session, err := c.CreateSession(ctx, client.SessionSpec{})
	check(err)
	turn, err := c.StartTurn(ctx, session.ID, client.Text("What is in a.txt?"))
	check(err)

	_, err = c.Say(ctx, session.ID, turn.ID, client.Message{Text: "Nothing yet."})
	check(err)
	_, err = c.CompleteTurn(ctx, session.ID, turn.ID, client.TurnCompletion{StopReason: "end_turn"})
	check(err)

	turn, err = c.Turn(ctx, session.ID, turn.ID)
	check(err)
	fmt.Println(turn.Status, *turn.StopReason, *turn.Text)
	// Output: completed end_turn Nothing yet.
}

// One stream has the questions of all sessions: first those that wait, then those
// that come.
func ExampleClient_TenantEvents() {
	c, end := begin()
	defer end()
	ctx := context.Background()
	asking(ctx, c)

	for e, err := range c.TenantEvents(ctx, client.StreamOptions{Types: []string{"approval."}}) {
		check(err)
		if e.Type == client.TenantEventTypeTenantSnapshot {
			var now client.TenantSnapshot
			check(e.Decode(&now))
			fmt.Println(len(now.Approvals), "waits")
			asking(ctx, c)
			continue
		}
		var question client.Approval
		check(e.Decode(&question))
		fmt.Println(e.Type, question.Tool)
		break
	}
	// Output:
	// 1 waits
	// approval.requested write_file
}

// A process that starts again repeats what it may have done before, under the
// same key, and does it once.
func ExampleWithIdempotencyKey() {
	c, end := begin()
	defer end()
	ctx := client.WithIdempotencyKey(context.Background(), "job-42")
	first, err := c.CreateSession(ctx, client.SessionSpec{})
	check(err)
	again, err := c.CreateSession(ctx, client.SessionSpec{})
	check(err)
	fmt.Println(first.ID == again.ID)
	// Output: true
}
