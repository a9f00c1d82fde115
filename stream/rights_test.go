package stream_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestAStreamEndsByTheHeartbeatAfterItsReaderMayNotReadAnyMore(t *testing.T) {
	inHouse(t, nil, func(h house) {
		var revoked atomic.Bool
		c := h.visit(stream.TenantRequest{Rights: stream.Rights{Valid: func() bool { return !revoked.Load() }}})
		time.Sleep(20 * time.Second)
		synctest.Wait()
		require.Contains(t, c.text(), ": heartbeat")
		revoked.Store(true)
		time.Sleep(15 * time.Second)
		synctest.Wait()
		require.True(t, c.over())
		require.NoError(t, c.err)
		h.happens(3, "secret")
		require.NotContains(t, c.text(), "secret")
	})
}

func TestAReaderIsShownTheSessionsThatItMayKnowOf(t *testing.T) {
	inHouse(t, nil, func(h house) {
		asked := 0
		rights := stream.Rights{
			Sees: func(session, event string) (bool, error) {
				asked++
				require.Equal(t, "session.updated", event)
				return false, nil
			},
			Snapshot: func(context.Context) ([]byte, stream.Vector, error) {
				return []byte(`{"mine":true}`), h.logs.Place("acme"), nil
			},
		}
		c := h.visit(stream.TenantRequest{Rights: rights})
		require.Contains(t, c.text(), `{"mine":true}`)
		h.happens(3, "theirs")
		synctest.Wait()
		require.Equal(t, 1, asked)
		require.NotContains(t, c.text(), "theirs")
		time.Sleep(16 * time.Second)
		synctest.Wait()
		require.Equal(t, h.at(), lastID(c.text()), "it is told how far it is")
		c.cancel()
	})
}

// lastID is the id that a client would come back with.
func lastID(text string) string {
	at := strings.LastIndex(text, "id: ")
	id, _, _ := strings.Cut(text[at+len("id: "):], "\n")
	return id
}

func TestAStreamIsCutOffWhenItIsNotKnownWhatItsReaderMaySee(t *testing.T) {
	inHouse(t, nil, func(h house) {
		down := errors.New("down")
		c := h.visit(stream.TenantRequest{Rights: stream.Rights{Sees: func(string, string) (bool, error) { return true, down }}})
		h.happens(3, "x")
		synctest.Wait()
		require.True(t, c.over())
		require.ErrorIs(t, c.err, down)
		require.ErrorIs(t, c.err, stream.ErrStarted)
		require.NotContains(t, c.text(), `"x"`)
	})
}
