package client

import (
	"context"
	"net/http"
)

// StreamTicket opens a session's stream once, for who can't send a key: a
// browser's EventSource.
func (c *Client) StreamTicket(ctx context.Context, sid string) (StreamTicket, error) {
	return call[StreamTicket](ctx, c, request{method: http.MethodPost, path: []string{"sessions", sid, "stream-tickets"}})
}

// TenantStreamTicket opens the tenant's stream once.
func (c *Client) TenantStreamTicket(ctx context.Context) (StreamTicket, error) {
	return call[StreamTicket](ctx, c, request{method: http.MethodPost, path: []string{"stream-tickets"}})
}
