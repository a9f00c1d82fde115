package api_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a server over a fake service, with a client that checks answers.
type bench struct {
	*apitest.Client
	service *fake
	admin   *fakeAdmin
	hub     *fakeHub
	log     *logBuffer
	base    string
}

func configOf(b *bench) api.Config {
	return api.Config{
		Service: b.service, Admin: b.admin, Auth: keys{}, Passes: fakePasses{}, Quotas: &fakeQuotas{}, Hub: b.hub, Loopback: true,
		Logger: slog.New(slog.NewTextHandler(b.log, nil)),
		Ready: func(context.Context) (api.Readiness, error) {
			return api.Readiness{Store: "embedded", Volatile: true}, nil
		},
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			_, _ = io.WriteString(w, "up 1\n")
		}),
	}
}

func newBench() *bench {
	service := newFake()
	return &bench{service: service, admin: &fakeAdmin{service: service}, hub: &fakeHub{}, log: &logBuffer{}}
}

func start(t *testing.T, adjust ...func(*api.Config)) *bench {
	t.Helper()
	b := newBench()
	cfg := configOf(b)
	for _, f := range adjust {
		f(&cfg)
	}
	handler, err := api.New(cfg)
	require.NoError(t, err)
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	b.base = s.URL
	b.Client = apitest.NewClient(t, s.URL, everyRole)
	return b
}

// logBuffer is a log that handlers write while tests read.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
