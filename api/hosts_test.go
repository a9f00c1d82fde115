package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

func TestAHostIsAttachedWithItsOwnWordsByteForByte(t *testing.T) {
	t.Parallel()
	b := start(t)
	a := b.Post(t, "/v1/sessions/"+sid+"/hosts", `{"host_id":"host-1","capabilities":{ "n": 12345678901234567890 },"ttl_s":5}`)
	require.Equal(t, 201, a.Status, "%s", a.Body)
	require.Contains(t, string(a.Body), `"capabilities":{"n":12345678901234567890}`)
	require.Equal(t, "host-1", b.service.attached.HostID)
	require.Equal(t, `{ "n": 12345678901234567890 }`, string(b.service.attached.Capabilities))
	require.Equal(t, 5, *b.service.attached.TTLS)
	require.Equal(t, 201, b.Post(t, "/v1/sessions/"+sid+"/hosts", `{"host_id":"host-1"}`).Status)
	require.Nil(t, b.service.attached.Capabilities)
	require.Nil(t, b.service.attached.TTLS)
}

func TestTheFenceGoesAlong(t *testing.T) {
	t.Parallel()
	b := start(t)
	hosts := "/v1/sessions/" + sid + "/hosts/" + hostID
	require.Equal(t, 200, b.Post(t, hosts+"/heartbeat", `{"fence":7}`).Status)
	require.Equal(t, scheduler.Sender{Host: hostID, Fence: 7}, b.service.sender)
	require.Equal(t, 204, b.Do(t, apitest.Call{Method: http.MethodDelete, Path: hosts + "?fence=8"}).Status)
	require.Equal(t, scheduler.Sender{Host: hostID, Fence: 8}, b.service.sender)
	require.Equal(t, 200, b.Post(t, batches+"/"+bid+"/claims", `{"host_id":"h","fence":9,"positions":[0]}`).Status)
	require.EqualValues(t, 9, *b.service.claim.Fence)
	require.Equal(t, 200, b.Post(t, batches+"/"+bid+"/results", `{"host_id":"h","fence":10,"results":[{"position":0,"status":"success","output":""}]}`).Status)
	require.EqualValues(t, 10, *b.service.report.Fence)
	require.Equal(t, 200, b.Post(t, batches+"/"+bid+"/progress", `{"host_id":"h","fence":11,"call_id":"c1","extend_s":60}`).Status)
	require.EqualValues(t, 11, *b.service.progress.Fence)
	require.Equal(t, 60, *b.service.progress.ExtendS)
}

func TestRuntimeViewsReachTheUseCaseByteForByte(t *testing.T) {
	t.Parallel()
	b := start(t)
	a := b.Post(t, batches, `{"host_id":"h","fence":3,"runtime_view":{ "of": "batch", "n": 1e400 },`+
		`"calls":[{"name":"a","runtime_view":{ "of": "call" }},{"name":"b"}]}`)
	require.Equal(t, 202, a.Status, "%s", a.Body)
	in := b.service.submission
	require.EqualValues(t, 3, *in.Fence)
	require.Equal(t, `{ "of": "batch", "n": 1e400 }`, in.RuntimeView) //nolint:testifylint // byte for byte
	require.Equal(t, `{ "of": "call" }`, in.Calls[0].RuntimeView)     //nolint:testifylint // byte for byte
	require.Empty(t, in.Calls[1].RuntimeView)
}

// attentive is a hub whose stream lasts until its reader leaves.
type attentive struct{ *fakeHub }

func (attentive) Open(context.Context, stream.Request) (stream.Stream, error) {
	return &waiting{}, nil
}

type waiting struct{ ctx context.Context } //nolint:containedctx // of its one reader

func (*waiting) Begin(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusOK)
	return nil
}

func (w *waiting) Advance(ctx context.Context) (open bool, err error) {
	w.ctx = ctx
	if ctx.Err() != nil {
		return false, stream.ErrStarted
	}
	return true, nil
}

func (w *waiting) Wait() { <-w.ctx.Done() }

// streamOf opens a host's stream on a server of its own; the function it gives
// ends it. The channel is closed when it has ended.
func streamOf(t *testing.T, b *bench, key, query string) (leave func(), ended <-chan int) {
	t.Helper()
	cfg := configOf(b)
	cfg.Hub = attentive{b.hub}
	handler, err := api.New(cfg)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	req := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1/v1/sessions/"+sid+"/events?"+query, nil)
	req.Header.Set("Authorization", "Bearer "+key)
	done := make(chan int, 1)
	go func() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		done <- w.Code
	}()
	return cancel, done
}

func TestAHostsStreamRenewsItsLeaseAsLongAsItIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench()
		leave, ended := streamOf(t, b, "host", "host_id="+hostID+"&fence=3")
		synctest.Wait()
		require.Equal(t, 1, b.service.count(), "once before it begins")
		require.Equal(t, scheduler.Sender{Host: hostID, Fence: 3}, b.service.lastSender())
		time.Sleep(30*time.Second + time.Millisecond)
		synctest.Wait()
		require.Equal(t, 4, b.service.count(), "three times within its lease")

		b.service.refused(&sessions.Problem{Code: sessions.CodeUnavailable})
		time.Sleep(20 * time.Second)
		b.service.refused(nil)
		synctest.Wait()
		require.Empty(t, ended, "the store may come back before the lease is over")
		leave()
		<-ended
		after := b.service.count()
		time.Sleep(time.Minute)
		require.Equal(t, after, b.service.count(), "a stream that ended renews nothing")
	})
}

func TestAFencedHostsStreamEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench()
		_, ended := streamOf(t, b, "host", "host_id="+hostID+"&fence=3")
		synctest.Wait()
		b.service.refused(&sessions.Problem{Code: sessions.CodeHostFenced})
		require.Equal(t, 200, <-ended)

		_, ended = streamOf(t, b, "host", "host_id="+hostID+"&fence=3")
		require.Equal(t, 409, <-ended, "and does not begin again")
	})
}

func TestOnlyHostsHaveLeases(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, role := range []string{"viewer", "frontend"} {
		a := b.As(role).Get(t, "/v1/sessions/"+sid+"/events?host_id=h&fence=1")
		require.Equal(t, "forbidden", a.Problem(t).Code)
	}
	require.Zero(t, b.service.count())
}
