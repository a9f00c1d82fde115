package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// diary notes what happens, in order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) read() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.lines...)
}

// appOn is an App on a backend of the test's, on a free port of loopback.
func appOn(t *testing.T, b backend, drain time.Duration) *App {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	b.streamsEnd = func(context.Context) error { return nil }
	return &App{cfg: Config{Drain: drain}, log: slog.New(slog.DiscardHandler), listener: l, backend: b}
}

// streaming is a backend with one endless stream, which drain ends.
func streaming(d *diary) (b backend, opened <-chan struct{}) {
	open, drained := make(chan struct{}), make(chan struct{})
	return backend{
		handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "hello\n")
			_ = http.NewResponseController(w).Flush()
			close(open)
			select {
			case <-drained:
			case <-r.Context().Done():
				d.note("request cut")
			}
			d.note("request finished")
		}),
		parts: []part{func(ctx context.Context) error {
			<-ctx.Done()
			d.note("part ended")
			return ctx.Err()
		}},
		notReady: func() { d.note("not ready") },
		drain:    func(time.Duration) { d.note("drain"); close(drained) },
		close:    func() error { d.note("closed"); return nil },
	}, open
}

// follow opens the stream and reads until it ends.
func follow(t *testing.T, addr string) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		resp, err := http.Get("http://" + addr)
		if err == nil {
			_, err = bufio.NewReader(resp.Body).WriteTo(io.Discard)
			err = errors.Join(err, resp.Body.Close())
		}
		ended <- err
	}()
	return ended
}

func TestTheProgramStopsInOrder(t *testing.T) {
	t.Parallel()
	var d diary
	b, opened := streaming(&d)
	app := appOn(t, b, time.Minute)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	ended := follow(t, app.Addr())
	<-opened

	stop()
	require.NoError(t, <-done)
	require.NoError(t, <-ended, "the stream ended in good order")
	require.Equal(t, []string{"not ready", "drain", "request finished", "part ended", "closed"}, d.read())

	_, err := net.Dial("tcp", app.Addr())
	require.Error(t, err, "nobody listens any more")
}

func TestARequestThatOutlastsTheDrainTimeIsCut(t *testing.T) {
	t.Parallel()
	var d diary
	b, opened := streaming(&d)
	b.drain = func(time.Duration) {}
	app := appOn(t, b, time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	ended := follow(t, app.Addr())
	<-opened

	stop()
	require.NoError(t, <-done)
	require.Error(t, <-ended)
	require.Contains(t, d.read(), "closed")
}

func TestAPartThatHearsOfNothingEndsWithItsConnections(t *testing.T) {
	t.Parallel()
	var d diary
	b, _ := streaming(&d)
	closed := make(chan struct{})
	b.parts = append(b.parts, func(context.Context) error {
		<-closed // as a command waits for a Redis that is silent
		return nil
	})
	b.close = func() error { close(closed); return nil }
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, appOn(t, b, time.Second).Run(ctx))
}

func TestAPartThatFailsEndsTheProgramWithItsError(t *testing.T) {
	t.Parallel()
	var d diary
	b, _ := streaming(&d)
	broken, unclosed := errors.New("broken part"), errors.New("unclosed store")
	b.parts = append(b.parts, func(context.Context) error { return broken })
	b.close = func() error { return unclosed }

	err := appOn(t, b, time.Minute).Run(t.Context())
	require.ErrorIs(t, err, broken)
	require.ErrorIs(t, err, unclosed)
	require.Contains(t, d.read(), "part ended")
}

func TestStoppingBeforeServingBeganIsOrderlyToo(t *testing.T) {
	t.Parallel()
	for range 50 {
		var d diary
		b, _ := streaming(&d)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.NoError(t, appOn(t, b, time.Minute).Run(ctx))
		require.Equal(t, []string{"not ready", "drain", "part ended", "closed"}, d.read())
	}
}

func TestWhileItLeavesRequestsAreServedAndAskedToComeElsewhere(t *testing.T) {
	t.Parallel()
	var d diary
	b, _ := streaming(&d)
	notReady := make(chan struct{})
	b.handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	b.notReady = func() { close(notReady) }
	app := appOn(t, b, time.Minute)
	app.leave = 5 * time.Second // a busy machine asks again within it
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	closing := func() bool {
		resp, err := http.Get("http://" + app.Addr())
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.Close
	}
	require.False(t, closing())
	stop()
	<-notReady
	require.True(t, closing(), "it still listens, and gives up the connection with its answer")
	require.NoError(t, <-done)
	_, err := net.Dial("tcp", app.Addr())
	require.Error(t, err)
}

func TestTheListenerClosesThreeSecondsAfterNotReadyOrSooner(t *testing.T) {
	t.Parallel()
	for drain, want := range map[time.Duration]time.Duration{
		20 * time.Second: 3 * time.Second, 12 * time.Second: 3 * time.Second, 4 * time.Second: time.Second, 0: 0,
	} {
		leave, settle := partings(drain)
		require.Equal(t, want, leave)
		require.LessOrEqual(t, leave+settle, drain/2, "the rest is for requests")
	}
}
