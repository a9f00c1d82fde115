package client_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// types follows a session until it has seen so many events.
func types(t *testing.T, c *client.Client, sid string, o client.StreamOptions, n int) (seen, ids []string) {
	t.Helper()
	for e, err := range c.Events(t.Context(), sid, o) {
		require.NoError(t, err)
		seen, ids = append(seen, e.Type), append(ids, e.ID)
		if len(seen) == n {
			break
		}
	}
	return seen, ids
}

func TestAStreamGoesOnBehindItsCursorAndThroughFilters(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	s, err := c.CreateSession(t.Context(), writer())
	require.NoError(t, err)
	_, err = c.SetMode(t.Context(), s.ID, "plan")
	require.NoError(t, err)
	all, ids := types(t, c, s.ID, client.StreamOptions{}, 3)
	require.Equal(t, []string{"session.created", "mode.changed", "plan.entered"}, all)
	rest, _ := types(t, c, s.ID, client.StreamOptions{After: ids[0]}, 2)
	require.Equal(t, all[1:], rest)
	plan, _ := types(t, c, s.ID, client.StreamOptions{Types: []string{"plan."}}, 1)
	require.Equal(t, all[2:], plan)
}

func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	s, err := c.CreateSession(t.Context(), writer())
	require.NoError(t, err)
	require.NoError(t, c.CloseSession(t.Context(), s.ID))
	seen, _ := types(t, c, s.ID, client.StreamOptions{}, 100)
	require.Equal(t, []string{"session.created", "session.closed"}, seen)
	seen, _ = types(t, c, s.ID, client.StreamOptions{After: "1-deadbeef"}, 100)
	require.Equal(t, []string{client.EventReset, client.EventSnapshot}, seen)
}

func TestAStreamThatIsCutComesBackWithoutGapOrRepetition(t *testing.T) {
	t.Parallel()
	gateway := gatewaytest.Start(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, gateway.Base+r.URL.RequestURI(), nil)
		if err != nil {
			panic(err)
		}
		out.Header = r.Header.Clone()
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			panic(err)
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		buf := make([]byte, 900) // cut after a piece, wherever that is
		n, _ := resp.Body.Read(buf)
		_, _ = w.Write(buf[:n])
	}))
	t.Cleanup(proxy.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	direct := connect(t, gateway.Base)
	s, err := direct.CreateSession(t.Context(), client.SessionSpec{})
	require.NoError(t, err)
	for _, mode := range []client.Mode{"plan", "yolo", "plan", "default", "auto_edit"} {
		_, err := direct.SetMode(t.Context(), s.ID, mode)
		require.NoError(t, err)
	}
	want, wantIDs := types(t, direct, s.ID, client.StreamOptions{}, 10)
	cut := connect(t, proxy.URL, client.WithRetries(1, time.Millisecond))
	got, gotIDs := types(t, cut, s.ID, client.StreamOptions{}, 10)
	require.Equal(t, want, got)
	require.Equal(t, wantIDs, gotIDs)
}

func TestAStreamThatIsRefusedSaysWhy(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	for _, err := range c.Events(t.Context(), "ses_nope", client.StreamOptions{}) {
		require.True(t, client.Is(err, "not_found"))
	}
}
