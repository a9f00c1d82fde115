package host_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/gatewaytest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// turncoat is a proxy in front of two replicas that kills the one it uses, as
// kill -9 does, at the first request to a route: before that replica hears of
// it, or after it has acted on it and before anybody hears that. From then on
// the other one is asked.
type turncoat struct {
	route string
	after bool
	first *gatewaytest.Process

	to   atomic.Pointer[httputil.ReverseProxy]
	heir *httputil.ReverseProxy
	once sync.Once
}

// ServeHTTP implements http.Handler.
func (c *turncoat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, c.route) {
		c.once.Do(func() {
			if c.after {
				c.to.Load().ServeHTTP(httptest.NewRecorder(), r.WithContext(context.WithoutCancel(r.Context())))
			}
			c.first.Kill()
			c.to.Store(c.heir)
			panic(http.ErrAbortHandler) // the host sees what it sees when its gateway dies: nothing
		})
	}
	c.to.Load().ServeHTTP(w, r)
}

// proxyTo forwards to a replica; one that is dead is an aborted connection.
func proxyTo(t *testing.T, base string) *httputil.ReverseProxy {
	t.Helper()
	to, err := url.Parse(base)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: transport, FlushInterval: -1,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
}

// between starts a proxy in front of two replicas on one Redis.
func between(t *testing.T, c *turncoat) (base string) {
	t.Helper()
	store := "--redis=" + redistest.Start(t).URL()
	c.first = gatewaytest.Start(t, store)
	c.to.Store(proxyTo(t, c.first.Base))
	c.heir = proxyTo(t, gatewaytest.Start(t, store).Base)
	front := httptest.NewServer(c)
	t.Cleanup(func() {
		front.CloseClientConnections() // streams go on as long as somebody serves them
		front.Close()
	})
	return front.URL
}

// TestTheGatewayIsKilledAtEveryPointOfACall has the kill matrix's other half:
// the host lives, so nothing is lost. Its call runs once, has one result, which
// is its own, and what its model is asked next is in order.
func TestTheGatewayIsKilledAtEveryPointOfACall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*turncoat{
		"before the batch is taken":        {route: "/batches"},
		"after the batch was taken":        {route: "/batches", after: true},
		"before the claim":                 {route: "/claims"},
		"after the claim":                  {route: "/claims", after: true},
		"after the run, before its result": {route: "/results"},
		"after the result":                 {route: "/results", after: true},
		"before the turn's end":            {route: "/complete"},
		"after the turn's end":             {route: "/complete", after: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enactAt(t, between(t, c), allowing())
			s.serve("host", calls(call("c1", "run_shell_command", args{"command": "echo ran >> log"})), say("Done."))
			turn := s.finished(s.prompt("Run it."))
			require.EqualValues(t, "end_turn", *turn.StopReason)
			require.Equal(t, "Done.", *turn.Text)
			require.Equal(t, 1, strings.Count(s.file("log"), "ran"))
			s.told("")
		})
	}
}
