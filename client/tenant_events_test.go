package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

func TestATenantsStreamOutlivesItsSessionsAndGoesOnBehindItsCursor(t *testing.T) {
	t.Parallel()
	c := connect(t, gatewaytest.Start(t).Base)
	var cursor string
	var seen []client.TenantEventType
	for e, err := range c.TenantEvents(t.Context(), client.StreamOptions{}) {
		require.NoError(t, err)
		seen, cursor = append(seen, e.Type), e.ID
		if e.Type == client.TenantEventTypeTenantSnapshot {
			s, err := c.CreateSession(t.Context(), client.SessionSpec{})
			require.NoError(t, err)
			require.NoError(t, c.CloseSession(t.Context(), s.ID))
		}
		if len(seen) == 3 {
			break
		}
	}
	require.Equal(t, []client.TenantEventType{"tenant.snapshot", "session.created", "session.closed"}, seen)
	s, err := c.CreateSession(t.Context(), client.SessionSpec{})
	require.NoError(t, err)
	for e, err := range c.TenantEvents(t.Context(), client.StreamOptions{After: cursor}) {
		require.NoError(t, err)
		require.Equal(t, client.TenantEventTypeSessionCreated, e.Type)
		require.Equal(t, s.ID, *e.SessionID)
		break
	}
}

func TestAStreamSaysWhyItEndsAndComesBackWhereThatHelps(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]error{"gone": client.ErrGone, "corrupt": client.ErrCorrupt, "unstable": client.ErrGone} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var connections atomic.Int32
			gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				now := reason
				if connections.Add(1) > 1 {
					now = "gone"
				}
				_, _ = fmt.Fprintf(w, "event: stream.error\ndata: {\"type\":\"stream.error\",\"data\":{\"reason\":%q}}\n\n", now)
			}))
			t.Cleanup(gateway.Close)
			c := connect(t, gateway.URL, client.WithRetries(1, time.Millisecond))
			told := 0
			var last error
			for _, err := range c.Events(t.Context(), "ses_1", client.StreamOptions{}) {
				last = err
				told++
			}
			require.ErrorIs(t, last, want)
			if reason == "unstable" {
				require.Equal(t, 3, told, "it came back once")
			}
		})
	}
}
