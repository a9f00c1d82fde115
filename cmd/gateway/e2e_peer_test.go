package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/r3labs/sse/v2"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// reconnectAfter is how long the peer waits before it comes back.
const reconnectAfter = 20 * time.Millisecond

// untilDone is a reconnection strategy that ends with a context.
type untilDone struct{ ctx context.Context }

// NextBackOff is the time until the next attempt; -1 is never.
func (u untilDone) NextBackOff() time.Duration {
	if u.ctx.Err() != nil {
		return -1
	}
	return reconnectAfter
}

// Reset does nothing: every attempt is like the first.
func (untilDone) Reset() {}

// front is one address before gateways that come and go, as a load balancer is.
func front(t *testing.T) (base string, sendTo func(string)) {
	t.Helper()
	var target atomic.Pointer[url.URL]
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target.Load()) },
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // that gateways die is the point
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	t.Cleanup(server.Close)
	return server.URL, func(base string) {
		u, err := url.Parse(base)
		require.NoError(t, err)
		target.Store(u)
	}
}

// peer is an SSE client that was not written for this gateway.
type peer struct {
	mu     sync.Mutex // guards events
	events []casetest.Event
	came   chan string // the type of each event
}

// listen follows a session until ctx ends, and comes back whenever it is cut off.
func (p *peer) listen(ctx context.Context, address, key string) {
	client := sse.NewClient(address, sse.ClientMaxBufferSize(1<<20))
	client.Headers["Authorization"] = "Bearer " + key
	client.ReconnectStrategy = untilDone{ctx}
	for ctx.Err() == nil { // a clean end is one to it
		_ = client.SubscribeRawWithContext(ctx, p.take) // it tells that ctx ended
	}
	client.Connection.CloseIdleConnections()
}

func (p *peer) take(m *sse.Event) {
	if len(m.Event) == 0 { // the hint when to come back
		return
	}
	p.mu.Lock()
	p.events = append(p.events, casetest.Event{ID: string(m.ID), Type: string(m.Event), JSON: append([]byte(nil), m.Data...)})
	p.mu.Unlock()
	p.came <- string(m.Event)
}

// await waits for an event of a type.
func (p *peer) await(t *testing.T, eventType string) {
	t.Helper()
	for late := time.After(e2eTimeout); ; {
		select {
		case got := <-p.came:
			if got == eventType {
				return
			}
		case <-late:
			t.Fatalf("no %s came", eventType)
		}
	}
}

func TestAnIndependentClientReadsOnAcrossARestart(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	base, sendTo := front(t)
	sendTo(m.base)
	session := m.session(t, askingSession)
	p := &peer{came: make(chan string, 256)}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.listen(ctx, base+"/v1/sessions/"+session.ID+"/events", keyOf("watcher"))
	}()
	t.Cleanup(func() { stop(); <-ended })
	batch := m.submit(t, session.ID, readAndWrite)
	p.await(t, "approval.requested")

	m.kill()
	m.restart()
	sendTo(m.base)

	_, err := m.Person.Respond(t.Context(), m.pending(t, session.ID).ID, object{"option_id": "allow_once"})
	require.NoError(t, err)
	_, _, err = (&casetest.Crew{Players: m.Players, Feed: m.follow(t, session.ID, casetest.Chain{})}).Finish(t.Context(), batch)
	require.NoError(t, err)
	p.await(t, "batch.completed")
	p.mu.Lock()
	defer p.mu.Unlock()
	m.sameAsLog(t, session.ID, p.events)
}
