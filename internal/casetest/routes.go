package casetest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// object is a JSON object that is sent.
type object = map[string]any

// CreateSession makes a session; spec is the body.
func (c *Client) CreateSession(ctx context.Context, spec any) (Session, error) {
	var s Session
	err := c.Send(ctx, Call{Method: http.MethodPost, Path: "/v1/sessions", Body: spec}, &s)
	return s, err
}

// Session reads a session.
func (c *Client) Session(ctx context.Context, sid string) (Session, error) {
	var s Session
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: sessionPath(sid)}, &s)
	return s, err
}

// CloseSession closes a session.
func (c *Client) CloseSession(ctx context.Context, sid string) error {
	return c.Send(ctx, Call{Method: http.MethodDelete, Path: sessionPath(sid)}, nil)
}

// SetMode changes a session's approval mode, as a person.
func (c *Client) SetMode(ctx context.Context, sid, mode string) (Session, error) {
	var s Session
	call := Call{Method: http.MethodPut, Path: sessionPath(sid) + "/approval-mode", Body: object{"mode": mode}}
	err := c.Send(ctx, call, &s)
	return s, err
}

// SetRules replaces a session's rules, as a person.
func (c *Client) SetRules(ctx context.Context, sid string, rules any) error {
	return c.Send(ctx, Call{Method: http.MethodPut, Path: sessionPath(sid) + "/rules", Body: rules}, nil)
}

// SetTools replaces a session's tools.
func (c *Client) SetTools(ctx context.Context, sid string, tools any) error {
	return c.Send(ctx, Call{Method: http.MethodPut, Path: sessionPath(sid) + "/tools", Body: object{"tools": tools}}, nil)
}

// Plan reads a session's plan and reminder.
func (c *Client) Plan(ctx context.Context, sid string) (Plan, error) {
	var p Plan
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: sessionPath(sid) + "/plan"}, &p)
	return p, err
}

// PatchPlan appends to a plan or replaces its text, as the body says.
func (c *Client) PatchPlan(ctx context.Context, sid string, body any) (Plan, error) {
	var p Plan
	err := c.Send(ctx, Call{Method: http.MethodPatch, Path: sessionPath(sid) + "/plan", Body: body}, &p)
	return p, err
}

// Submit sends a batch.
func (c *Client) Submit(ctx context.Context, sid string, body any) (Batch, error) {
	var b Batch
	err := c.Send(ctx, Call{Method: http.MethodPost, Path: sessionPath(sid) + "/batches", Body: body}, &b)
	return b, err
}

// Batch reads a batch; a wait such as "30s" lets it end first.
func (c *Client) Batch(ctx context.Context, sid, bid, wait string) (Batch, error) {
	path := batchPath(sid, bid)
	if wait != "" {
		path += "?wait=" + url.QueryEscape(wait)
	}
	var b Batch
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: path}, &b)
	return b, err
}

// Claim asks for dispatched calls by their positions.
func (c *Client) Claim(ctx context.Context, sid, bid, host string, positions ...int) ([]Claim, error) {
	var answer struct {
		Claims []Claim `json:"claims"`
	}
	call := Call{
		Method: http.MethodPost, Path: batchPath(sid, bid) + "/claims",
		Body: object{"host_id": host, "positions": positions},
	}
	err := c.Send(ctx, call, &answer)
	return answer.Claims, err
}

// Report sends results; a host that claimed names itself.
func (c *Client) Report(ctx context.Context, sid, bid, host string, results ...any) (Batch, error) {
	body := object{"results": results}
	if host != "" {
		body["host_id"] = host
	}
	var b Batch
	err := c.Send(ctx, Call{Method: http.MethodPost, Path: batchPath(sid, bid) + "/results", Body: body}, &b)
	return b, err
}

// Abort cancels what of a batch is open.
func (c *Client) Abort(ctx context.Context, sid, bid string) (Batch, error) {
	var b Batch
	err := c.Send(ctx, Call{Method: http.MethodPost, Path: batchPath(sid, bid) + "/abort"}, &b)
	return b, err
}

// NextRequest renders a batch's follow-up; no format is the batch's own.
func (c *Client) NextRequest(ctx context.Context, sid, bid, format string) (json.RawMessage, error) {
	path := batchPath(sid, bid) + "/next-request"
	if format != "" {
		path += "?format=" + url.QueryEscape(format)
	}
	var raw json.RawMessage
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: path}, &raw)
	return raw, err
}

// Approvals lists a session's approvals of a status.
func (c *Client) Approvals(ctx context.Context, sid, status string) ([]Approval, error) {
	query := url.Values{"session_id": {sid}}
	if status != "" {
		query.Set("status", status)
	}
	var page struct {
		Data []Approval `json:"data"`
	}
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: "/v1/approvals?" + query.Encode()}, &page)
	return page.Data, err
}

// Approval reads one approval.
func (c *Client) Approval(ctx context.Context, aid string) (Approval, error) {
	var a Approval
	err := c.Send(ctx, Call{Method: http.MethodGet, Path: "/v1/approvals/" + url.PathEscape(aid)}, &a)
	return a, err
}

// Respond answers an approval, as a person.
func (c *Client) Respond(ctx context.Context, aid string, answer any) (Approval, error) {
	var a Approval
	call := Call{Method: http.MethodPost, Path: "/v1/approvals/" + url.PathEscape(aid) + "/respond", Body: answer}
	err := c.Send(ctx, call, &a)
	return a, err
}

func sessionPath(sid string) string { return "/v1/sessions/" + url.PathEscape(sid) }

func batchPath(sid, bid string) string { return sessionPath(sid) + "/batches/" + url.PathEscape(bid) }
