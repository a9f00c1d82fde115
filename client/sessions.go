package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// CreateSession makes a session.
func (c *Client) CreateSession(ctx context.Context, spec SessionSpec) (SessionDocument, error) {
	return call[SessionDocument](ctx, c, request{method: http.MethodPost, path: []string{"sessions"}, body: spec})
}

// Session is a session document.
func (c *Client) Session(ctx context.Context, sid string) (SessionDocument, error) {
	return call[SessionDocument](ctx, c, get("sessions", sid))
}

// Sessions are the tenant's sessions, newest first, fetched as they are asked for.
func (c *Client) Sessions(ctx context.Context, filter ListSessionsParams) iter.Seq2[SessionDocument, error] {
	q := url.Values{}
	set(q, "status", filter.Status)
	set(q, "label", filter.Label)
	set(q, "parent", filter.Parent)
	return pages(q, func(q url.Values) ([]SessionDocument, *string, error) {
		r := get("sessions")
		r.query = q
		page, err := call[SessionPage](ctx, c, r)
		return page.Data, page.NextCursor, err
	})
}

// CloseSession ends a session and those below it.
func (c *Client) CloseSession(ctx context.Context, sid string) error {
	_, err := call[struct{}](ctx, c, request{method: http.MethodDelete, path: []string{"sessions", sid}})
	return err
}

// SetLabels replaces a session's labels.
func (c *Client) SetLabels(ctx context.Context, sid string, labels Labels) (SessionDocument, error) {
	return call[SessionDocument](ctx, c, request{
		method: http.MethodPatch, path: []string{"sessions", sid}, body: SessionPatch{Labels: labels},
	})
}

// Tools is the registry ready for a provider's `tools`.
func (c *Client) Tools(ctx context.Context, sid string, format Format) (Advertisement, error) {
	r := get("sessions", sid, "tools")
	r.query = url.Values{"format": {string(format)}}
	return call[Advertisement](ctx, c, r)
}

// SetTools replaces the declarations.
func (c *Client) SetTools(ctx context.Context, sid string, tools []ToolSpec) (SessionDocument, error) {
	return put[SessionDocument](ctx, c, ToolsReplacement{Tools: &tools}, "sessions", sid, "tools")
}

// SetRules replaces the session's rules.
func (c *Client) SetRules(ctx context.Context, sid string, rules Rules) (SessionDocument, error) {
	return put[SessionDocument](ctx, c, rules, "sessions", sid, "rules")
}

// SetMode changes the approval mode, as a person does.
func (c *Client) SetMode(ctx context.Context, sid string, mode Mode) (SessionDocument, error) {
	return put[SessionDocument](ctx, c, ModeChange{Mode: mode}, "sessions", sid, "approval-mode")
}

// Plan is the plan with the reminder that the session's model is given.
func (c *Client) Plan(ctx context.Context, sid string) (Plan, error) {
	return call[Plan](ctx, c, get("sessions", sid, "plan"))
}

// AppendPlan adds a paragraph to the plan's text.
func (c *Client) AppendPlan(ctx context.Context, sid, paragraph string) (Plan, error) {
	return call[Plan](ctx, c, request{
		method: http.MethodPatch, path: []string{"sessions", sid, "plan"}, body: PlanPatch{Append: &paragraph},
	})
}

// ReplacePlan replaces the plan's text if it still has the revision.
func (c *Client) ReplacePlan(ctx context.Context, sid, text string, revision int) (Plan, error) {
	return call[Plan](ctx, c, request{
		method: http.MethodPatch, path: []string{"sessions", sid, "plan"}, body: PlanPatch{Text: &text},
		header: http.Header{"If-Match": {strconv.Quote(strconv.Itoa(revision))}},
	})
}

// Grants is what the session remembers to allow.
func (c *Client) Grants(ctx context.Context, sid string) ([]Grant, error) {
	page, err := call[GrantPage](ctx, c, get("sessions", sid, "grants"))
	return page.Data, err
}

// RevokeGrants forgets one grant, or all with an empty id.
func (c *Client) RevokeGrants(ctx context.Context, sid, grant string) error {
	r := request{method: http.MethodDelete, path: []string{"sessions", sid, "grants"}}
	if grant != "" {
		r.query = url.Values{"id": {grant}}
	}
	_, err := call[struct{}](ctx, c, r)
	return err
}

func get(path ...string) request { return request{method: http.MethodGet, path: path} }

func put[T any](ctx context.Context, c *Client, body any, path ...string) (T, error) {
	return call[T](ctx, c, request{method: http.MethodPut, path: path, body: body})
}

func set[T ~string](q url.Values, name string, value *T) {
	if value != nil {
		q.Set(name, string(*value))
	}
}

// pages yields the entries of a list, page by page.
func pages[T any](q url.Values, fetch func(url.Values) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			data, next, err := fetch(q)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, v := range data {
				if !yield(v, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			q.Set("cursor", *next)
		}
	}
}
