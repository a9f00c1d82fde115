package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// connect is a client of a gateway of the test's own.
func connect(t *testing.T, base string, options ...client.Option) *client.Client {
	t.Helper()
	options = append([]client.Option{client.WithHTTPClient(gatewaytest.HTTPClient(t))}, options...)
	c, err := client.New(base, gatewaytest.Key, options...)
	require.NoError(t, err)
	return c
}

// writer is a session with a tool that writes and nobody has to be asked about.
func writer() client.SessionSpec {
	return client.SessionSpec{
		Tools: &[]client.ToolSpec{{Name: "write_file", Kind: new(client.Kind("edit"))}},
		Rules: &client.Rules{Allow: &[]string{"write_file"}},
	}
}

func calls(ids ...string) client.BatchSubmission {
	var list []client.NativeCall
	for _, id := range ids {
		list = append(list, client.NativeCall{ID: new(id), Name: "write_file", Arguments: json.RawMessage(`{"file_path":"` + id + `"}`)})
	}
	return client.BatchSubmission{Calls: &list}
}

// serve claims and answers what a batch dispatches until it has ended.
func serve(ctx context.Context, t *testing.T, c *client.Client, sid, bid string) {
	t.Helper()
	for e, err := range c.Events(ctx, sid, client.StreamOptions{}) {
		require.NoError(t, err)
		if e.Type == "batch.completed" {
			return
		}
		if e.Type != "call.dispatched" {
			continue
		}
		event, err := e.Event()
		require.NoError(t, err)
		var d client.Dispatched
		require.NoError(t, json.Unmarshal(event.Data, &d))
		claims, err := c.Claim(ctx, sid, bid, client.ClaimRequest{HostID: "h", Positions: &[]int{d.Position}})
		require.NoError(t, err)
		require.True(t, claims[0].Granted)
		_, err = c.Report(ctx, sid, bid, client.ResultReport{HostID: new("h"), Results: []client.HostResult{
			{Position: &d.Position, Status: "success", Output: "wrote " + d.CallID},
		}})
		require.NoError(t, err)
	}
}

func TestABatchGoesAllTheWayThroughTheClient(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	ctx := t.Context()
	s, err := c.CreateSession(ctx, writer())
	require.NoError(t, err)
	b, err := c.Submit(ctx, s.ID, calls("a", "b"))
	require.NoError(t, err)
	serve(ctx, t, c, s.ID, b.ID)
	b, err = c.Await(ctx, s.ID, b.ID)
	require.NoError(t, err)
	require.Equal(t, "wrote b", b.Calls[1].Result.Output)
	next, err := c.NextRequest(ctx, s.ID, b.ID, "anthropic")
	require.NoError(t, err)
	require.Contains(t, string(next.Messages), `"tool_use_id":"a"`)
	var lines []client.TranscriptLine
	for line, err := range c.Transcript(ctx, s.ID) {
		require.NoError(t, err)
		lines = append(lines, line)
	}
	require.Len(t, lines, 1)
	for listed, err := range c.Sessions(ctx, client.ListSessionsParams{}) {
		require.NoError(t, err)
		require.Equal(t, s.ID, listed.ID)
	}
	require.NoError(t, c.CloseSession(ctx, s.ID))
}

func TestARefusalCarriesItsProblem(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	_, err := c.Session(t.Context(), "ses_nope")
	require.True(t, client.Is(err, "not_found"))
	s, err := c.CreateSession(t.Context(), writer())
	require.NoError(t, err)
	_, err = c.Submit(t.Context(), s.ID, calls("a"))
	require.NoError(t, err)
	_, err = c.Submit(t.Context(), s.ID, calls("b"))
	require.True(t, client.Is(err, "batch_in_progress"))
	var p *client.ProblemError
	require.ErrorAs(t, err, &p)
	require.NotNil(t, p.Problem.CallsSha256)
}

func TestARequestWhoseAnswerIsLostIsDoneOnce(t *testing.T) {
	t.Parallel()
	gateway := gatewaytest.Start(t)
	var lost atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, gateway.Base+r.URL.RequestURI(), r.Body)
		if err != nil {
			panic(err)
		}
		out.Header = r.Header.Clone()
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			panic(err)
		}
		defer resp.Body.Close()
		if lost.Add(1) == 1 {
			panic(http.ErrAbortHandler) // the gateway has done it, the client hears nothing
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(proxy.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	c := connect(t, proxy.URL, client.WithRetries(3, time.Millisecond))
	s, err := c.CreateSession(t.Context(), writer())
	require.NoError(t, err)
	require.EqualValues(t, 2, lost.Load())
	var ids []string
	for listed, err := range connect(t, gateway.Base).Sessions(t.Context(), client.ListSessionsParams{}) {
		require.NoError(t, err)
		ids = append(ids, listed.ID)
	}
	require.Equal(t, []string{s.ID}, ids)
}

func TestARefusedConnectionGoesToTheNextReplica(t *testing.T) {
	t.Parallel()
	gateway := gatewaytest.Start(t)
	c := connect(t, "http://127.0.0.1:1", client.WithReplica(gateway.Base), client.WithRetries(3, time.Millisecond))
	_, err := c.CreateSession(t.Context(), writer())
	require.NoError(t, err)
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "gateway", "ftp://x", "http://", ":"} {
		_, err := client.New(base, "k")
		require.Error(t, err, base)
		_, err = client.New("http://x", "k", client.WithReplica(base))
		require.Error(t, err, base)
	}
}

func TestAnswersThatAreNotTheGatewaysAreErrors(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
	}))
	t.Cleanup(page.Close)
	_, err := connect(t, page.URL, client.WithRetries(2, time.Millisecond)).Session(t.Context(), "ses_x")
	var p *client.ProblemError
	require.ErrorAs(t, err, &p)
	require.Equal(t, http.StatusBadGateway, p.Status)
}
