package sessions_test

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/sessions"
)

// A commit may find the record of an idempotency key that a read just before
// and a read just after it don't: a failover goes on between them. Nothing is
// then known of the request; an empty answer would be taken for a success.
func TestARecordThatOnlyTheCommitFindsIsNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	w := hidingWire(t, redistest.Shared(t).Addr())
	a := &actor{replica: start(t, "redis://"+w.addr, nil), t: t, caller: caller()}
	sid := a.create(nil).ID
	submit := func() (sessions.Reply[sessions.Batch], error) {
		return a.Submit(t.Context(), a.caller, once("k", "submit", "body"), sid, batch(call("a", "unknown", `{}`)))
	}
	first, err := submit()
	require.NoError(t, err)
	w.hide.Store(2)
	again, err := submit()
	require.NoError(t, err)
	require.Zero(t, w.hide.Load(), "two reads found nothing")
	require.True(t, again.Replayed)
	require.Equal(t, first.Value.ID, again.Value.ID)
}

// hiding is a way to Redis on which some reads of idempotency records find
// nothing.
type hiding struct {
	addr string
	hide atomic.Int32 // how many reads more
}

func hidingWire(t *testing.T, to string) *hiding {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &hiding{addr: l.Addr().String()}
	var links sync.WaitGroup
	links.Go(func() {
		for near, err := l.Accept(); err == nil; near, err = l.Accept() {
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			links.Go(func() { h.ask(near, far) })
			links.Go(func() { _, _ = io.Copy(near, far); _ = near.Close() })
		}
	})
	t.Cleanup(links.Wait) // after the replica's own: its connections have ended
	t.Cleanup(func() { _ = l.Close() })
	return h
}

// ask carries commands; a hidden read asks for a key that nobody writes.
func (h *hiding) ask(near io.Reader, far io.WriteCloser) {
	defer func() { _ = far.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := near.Read(buf)
		if err != nil {
			return
		}
		b := buf[:n]
		if h.hide.Load() > 0 && bytes.Contains(b, []byte("\r\nget\r\n")) && bytes.Contains(b, []byte(":idem:")) {
			h.hide.Add(-1)
			b = bytes.ReplaceAll(b, []byte(":idem:"), []byte(":none:"))
		}
		if _, err := far.Write(b); err != nil {
			return
		}
	}
}
