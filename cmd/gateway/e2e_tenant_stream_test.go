package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// wideEvent is a frame of a tenant's stream.
type wideEvent struct {
	id   string
	Type string          `json:"type"`
	SID  string          `json:"session_id"`
	Seq  int             `json:"seq"`
	Data json.RawMessage `json:"data"`
}

// waiting is what a snapshot says.
type waiting struct {
	Approvals []casetest.Approval `json:"approvals"`
	Sessions  []casetest.Session  `json:"sessions"`
}

// wideFeed reads the stream of a viewer's tenant.
type wideFeed struct {
	t     *testing.T
	lines *bufio.Scanner
	seqs  map[string]int // per session: the last that came
}

// overview opens the stream at a replica until the test ends.
func (s *stand) overview(t *testing.T, after string) *wideFeed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), e2eTimeout)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/v1/events", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+keyOf("watcher"))
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	res, err := s.transport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() {
		cancel()
		_ = res.Body.Close()
	})
	require.Equal(t, http.StatusOK, res.StatusCode)
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return &wideFeed{t: t, lines: lines, seqs: map[string]int{}}
}

// next is the next frame with data. It must fit the contract, and be in its
// session's order.
func (f *wideFeed) next() wideEvent {
	f.t.Helper()
	var e wideEvent
	for f.lines.Scan() {
		name, value, _ := strings.Cut(f.lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "data":
			require.NoError(f.t, apitest.LoadContract(f.t).CheckTenantEvent([]byte(value)))
			require.NoError(f.t, json.Unmarshal([]byte(value), &e))
			require.True(f.t, e.SID == "" || e.Seq > f.seqs[e.SID], "%s came after %d of its session", value, f.seqs[e.SID])
			f.seqs[e.SID] = e.Seq
			return e
		}
	}
	require.Fail(f.t, "the stream ended", "%v", f.lines.Err())
	return e
}

// snapshot is the next frame, which must be one.
func (f *wideFeed) snapshot() (state waiting) {
	f.t.Helper()
	e := f.next()
	require.Equal(f.t, "tenant.snapshot", e.Type)
	require.NoError(f.t, json.Unmarshal(e.Data, &state))
	return state
}

// until reads up to an event of a session, and gives the types of that
// session's events on the way.
func (f *wideFeed) until(eventType, sid string) (seen []string, last wideEvent) {
	f.t.Helper()
	for {
		e := f.next()
		if e.SID == sid {
			seen = append(seen, e.Type)
		}
		if e.SID == sid && e.Type == eventType {
			return seen, e
		}
	}
}

func TestATenantsStreamShowsAllItsSessionsOnAnyReplica(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + redistest.Start(t).URL()
	one, two := startStand(t, redis), startStand(t, redis)
	asking := one.session(t, askingSession)
	batch := one.submit(t, asking.ID, readAndWrite)

	feed := one.overview(t, "")
	state := feed.snapshot()
	require.Len(t, state.Sessions, 1)
	require.Equal(t, asking.ID, state.Sessions[0].ID)
	require.Len(t, state.Approvals, 1)

	// What happens elsewhere is seen here, and nothing of another tenant.
	_, err := two.foreign.CreateSession(t.Context(), object{})
	require.NoError(t, err)
	other := two.session(t, `{}`)
	seen, _ := feed.until("session.created", other.ID)
	require.Equal(t, []string{"session.created"}, seen)
	_, err = two.Person.Respond(t.Context(), state.Approvals[0].ID, object{"option_id": "allow_once"})
	require.NoError(t, err)
	for position := range batch.Calls {
		_, err := two.Host.Claim(t.Context(), asking.ID, batch.ID, "h", position)
		require.NoError(t, err)
		_, err = one.Host.Report(t.Context(), asking.ID, batch.ID, "h",
			object{"position": position, "status": "success", "output": "done"})
		require.NoError(t, err)
	}
	seen, last := feed.until("batch.completed", asking.ID)
	require.Subset(t, seen, []string{"approval.resolved", "batch.completed"})
	for _, eventType := range seen {
		require.NotContains(t, eventType, "call.")
	}

	// The cursor holds on the other replica: what was missed, nothing twice.
	require.NoError(t, one.Host.CloseSession(t.Context(), other.ID))
	require.NoError(t, one.Host.CloseSession(t.Context(), asking.ID))
	again := two.overview(t, last.id)
	again.seqs = feed.seqs
	ended := map[string]bool{}
	for range 2 {
		e := again.next()
		require.Equal(t, "session.closed", e.Type)
		ended[e.SID] = true
	}
	require.Equal(t, map[string]bool{asking.ID: true, other.ID: true}, ended)

	require.Empty(t, two.overview(t, "").snapshot().Sessions, "nobody waits any more")
}
