package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Attach makes a host the one that runs the session's calls, whoever was it
// before. What it claims and reports from then on carries the fence.
func (c *Client) Attach(ctx context.Context, sid string, a Attachment) (Host, error) {
	return post[Host](ctx, c, a, "sessions", sid, "hosts")
}

// Hosts is who is attached: at most one.
func (c *Client) Hosts(ctx context.Context, sid string) ([]Host, error) {
	page, err := call[HostPage](ctx, c, get("sessions", sid, "hosts"))
	return page.Data, err
}

// Heartbeat renews a host's lease. It is refused with host_fenced when the lease
// is over or another's; the problem says whose.
func (c *Client) Heartbeat(ctx context.Context, sid, hostID string, fence Fence) (Renewal, error) {
	return post[Renewal](ctx, c, Heartbeat{Fence: fence}, "sessions", sid, "hosts", hostID, "heartbeat")
}

// Detach ends a host's lease: it leaves.
func (c *Client) Detach(ctx context.Context, sid, hostID string, fence Fence) error {
	_, err := call[struct{}](ctx, c, request{
		method: http.MethodDelete, path: []string{"sessions", sid, "hosts", hostID},
		query: url.Values{"fence": {strconv.FormatInt(fence, 10)}},
	})
	return err
}

// Progress says how a running call gets on, or asks for more time.
func (c *Client) Progress(ctx context.Context, sid, bid string, r ProgressReport) (Progress, error) {
	return post[Progress](ctx, c, r, "sessions", sid, "batches", bid, "progress")
}
