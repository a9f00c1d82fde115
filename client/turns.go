package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
)

// StartTurn prompts the session's host, as a person does. Input is a JSON list
// of content items; [Text] makes one.
func (c *Client) StartTurn(ctx context.Context, sid string, start TurnStart) (Turn, error) {
	return post[Turn](ctx, c, start, "sessions", sid, "turns")
}

// Turn is a turn with all that was said in it.
func (c *Client) Turn(ctx context.Context, sid, tid string) (Turn, error) {
	return call[Turn](ctx, c, get("sessions", sid, "turns", tid))
}

// Turns are a session's turns, newest first, fetched as they are asked for.
func (c *Client) Turns(ctx context.Context, sid string) iter.Seq2[Turn, error] {
	return pages(url.Values{}, func(q url.Values) ([]Turn, *string, error) {
		r := get("sessions", sid, "turns")
		r.query = q
		page, err := call[TurnPage](ctx, c, r)
		return page.Data, page.NextCursor, err
	})
}

// MaxMessageBytes is how long one piece of what an agent says may be.
const MaxMessageBytes = 64 << 10

// Say adds to what the agent says in the open turn. It is sent with a key, so
// that a piece is said once however often it was sent.
func (c *Client) Say(ctx context.Context, sid, tid string, m Message) (Said, error) {
	return post[Said](ctx, c, m, "sessions", sid, "turns", tid, "messages")
}

// CompleteTurn ends the turn, as its host.
func (c *Client) CompleteTurn(ctx context.Context, sid, tid string, end TurnCompletion) (Turn, error) {
	return post[Turn](ctx, c, end, "sessions", sid, "turns", tid, "complete")
}

// CancelTurn aborts the turn's open batch and ends the turn.
func (c *Client) CancelTurn(ctx context.Context, sid, tid string) (Turn, error) {
	return call[Turn](ctx, c, request{method: http.MethodPost, path: []string{"sessions", sid, "turns", tid, "cancel"}})
}

// CheckModelRequest lets the gateway judge what a host is about to send to its
// model.
func (c *Client) CheckModelRequest(ctx context.Context, sid string, r ModelRequest) (ModelRequestCheck, error) {
	return post[ModelRequestCheck](ctx, c, r, "sessions", sid, "model-requests")
}

// Text is a turn's input that is one text.
func Text(text string) TurnStart {
	input, err := json.Marshal([]map[string]string{{"type": "text", "text": text}})
	if err != nil {
		panic(err) // strings always marshal
	}
	return TurnStart{Input: input}
}
