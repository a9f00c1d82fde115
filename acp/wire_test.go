package acp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
)

// wire is a proxy before the gateway whose streams can be cut, kept away, and
// made to come back with a cursor of another history.
type wire struct {
	*httptest.Server
	mu       sync.Mutex
	cuts     map[context.Context]context.CancelFunc
	kept     chan struct{} // closed when streams may come back; nil: they may
	diverges bool
}

// splice puts a wire before the scene's gateway.
func (s *scene) splice() *wire {
	s.Helper()
	target, err := url.Parse(s.base)
	require.NoError(s, err)
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	w := &wire{cuts: map[context.Context]context.CancelFunc{}}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			ctx, end := w.stream(r)
			defer end()
			r = r.WithContext(ctx)
		}
		proxy.ServeHTTP(rw, r)
	}))
	s.Cleanup(w.Close)
	return w
}

// stream lets one stream begin.
func (w *wire) stream(r *http.Request) (context.Context, func()) {
	ctx, cancel := context.WithCancel(r.Context())
	w.mu.Lock()
	kept := w.kept
	w.mu.Unlock()
	if kept != nil {
		select {
		case <-kept:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if seq, _, ok := strings.Cut(r.Header.Get("Last-Event-ID"), "-"); ok && w.diverges {
		r.Header.Set("Last-Event-ID", seq+"-00000000")
	}
	w.cuts[ctx] = cancel
	return ctx, func() {
		cancel()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.cuts, ctx)
	}
}

// keep cuts all streams and keeps them away until it is told to let go.
func (w *wire) keep() (release func()) {
	w.mu.Lock()
	kept := make(chan struct{})
	w.kept = kept
	w.mu.Unlock()
	w.cut()
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.kept = nil
		close(kept)
	})
}

// cut ends all streams.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, cancel := range w.cuts {
		cancel()
	}
}
