package hooks_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/internal/egress"
	"github.com/session-gateway/gateway/tenants"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret   = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==" // of nobody
	patience = 90 * time.Second
)

// running is a sender with what it logged and counted.
type running struct {
	*hooks.Sender
	log    *syncBuffer
	stop   context.CancelFunc
	done   chan error
	failed atomic.Int64
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func run(t *testing.T) *running {
	r := &running{log: &syncBuffer{}, done: make(chan error, 1)}
	r.Sender = hooks.New(hooks.Config{
		Client: egress.NewClient(egress.Config{
			Allow: egress.Allow{netip.MustParsePrefix("127.0.0.0/8")}, MaxBody: hooks.MaxAnswerBytes,
		}),
		Logger:  slog.New(slog.NewTextHandler(r.log, nil)),
		Observe: func(_ tenants.HookEvent, res hooks.Result) { r.count(res) },
	})
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() { r.done <- r.Run(ctx) }()
	t.Cleanup(r.ends)
	return r
}

// ends stops the sender and waits for it.
func (r *running) ends() {
	r.stop()
	r.done <- <-r.done // for whoever asks again
}

func (r *running) count(res hooks.Result) {
	if res == hooks.Failed {
		r.failed.Add(1)
	}
}

// receiver serves until the test ends.
func receiver(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// message is a PreToolUse whose answer goes to a channel.
func message(url, id string) (hooks.Message, chan hooks.Answer) {
	answers := make(chan hooks.Answer, 1)
	return hooks.Message{
		Tenant: "acme", Hook: tenants.Hook{ID: "h", URL: url, Secret: secret}, Event: tenants.HookPreToolUse,
		ID: id, Body: []byte(`{"type":"PreToolUse"}`), For: patience,
		Done: func(_ context.Context, a hooks.Answer) { answers <- a },
	}, answers
}

func await[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

func TestAMessageIsSignedAndItsVerdictTaken(t *testing.T) {
	t.Parallel()
	url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		checker, bad := standardwebhooks.NewWebhook(secret)
		if err != nil || bad != nil || checker.Verify(body, r.Header) != nil || r.Header.Get("webhook-id") != "msg_1" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"verdict":"ask","reason":"a person should look"}`)
	})
	m, answers := message(url, "msg_1")
	s := run(t)
	require.True(t, s.Send(m))
	require.Equal(t, hooks.Answer{Verdict: tenants.HookAsk, Reason: "a person should look"}, await(t, answers))
}

func TestWhatIsNoVerdictDenies(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]tenants.HookVerdict{
		`{"verdict":"pass"}`: tenants.HookPass, `{"verdict":"pass","more":1}`: tenants.HookPass,
		`{"verdict":"ask"}`: tenants.HookAsk, `{"verdict":"deny"}`: tenants.HookDeny,
		`{"verdict":"allow"}`: tenants.HookDeny, `{"verdict":"Pass"}`: tenants.HookDeny, `{"verdict":""}`: tenants.HookDeny,
		`{"verdict":true}`: tenants.HookDeny, `{}`: tenants.HookDeny, ``: tenants.HookDeny, `null`: tenants.HookDeny,
		`[]`: tenants.HookDeny, `{"verdict":"pass"`: tenants.HookDeny, `{"verdict":"pass"} {}`: tenants.HookDeny,
		`{"verdict":"deny","verdict":"pass"}`: tenants.HookDeny, `{"verdict":"pass","verdict":"pass"}`: tenants.HookDeny,
		`{"Verdict":"pass"}`: tenants.HookDeny, `{"verdict":"deny","Verdict":"pass"}`: tenants.HookDeny,
		`{"verdict":"pass","\u0076erdict":"deny"}`: tenants.HookDeny, `{"verdict":"pass","reason":7}`: tenants.HookDeny,
		`{"verdict":"pass","score":[1,{"verdict":"deny"}]}`: tenants.HookPass,
	} {
		require.Equal(t, want, hooks.ParseAnswer([]byte(body)).Verdict, body)
	}
}

func TestAnAnswerBeyondItsLimitDenies(t *testing.T) {
	t.Parallel()
	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"verdict":"pass","reason":"`+strings.Repeat("x", hooks.MaxAnswerBytes)+`"}`)
	})
	m, answers := message(url, "msg_1")
	require.True(t, run(t).Send(m))
	require.Equal(t, tenants.HookDeny, await(t, answers).Verdict)
}

func TestAReasonIsMadeFitToBeRead(t *testing.T) {
	t.Parallel()
	a := hooks.ParseAnswer([]byte(`{"verdict":"deny","reason":"a\u0000b\u001b[31m\nc` + strings.Repeat("é", 1000) + `"}`))
	require.True(t, strings.HasPrefix(a.Reason, "ab[31m\nc"))
	require.LessOrEqual(t, len([]rune(a.Reason)), 501)
}

func TestAMessageInFlightIsNotSentAgain(t *testing.T) {
	t.Parallel()
	arrived, leave := make(chan struct{}, 10), make(chan struct{})
	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-leave
		_, _ = io.WriteString(w, `{"verdict":"pass"}`)
	})
	m, answers := message(url, "msg_1")
	s := run(t)
	require.True(t, s.Send(m))
	await(t, arrived)
	require.True(t, s.Send(m))
	close(leave)
	await(t, answers)
	s.ends()
	require.Empty(t, arrived)
}

func TestATenantWhoseReceiverHangsStallsNoOther(t *testing.T) {
	t.Parallel()
	leave := make(chan struct{})
	hanging := receiver(t, func(http.ResponseWriter, *http.Request) { <-leave })
	s := run(t)
	t.Cleanup(func() { close(leave) })
	refused := 0
	for i := range 2000 {
		m, _ := message(hanging, strconv.Itoa(i))
		m.Tenant = "noisy"
		if !s.Send(m) {
			refused++
		}
	}
	require.Greater(t, refused, 900, "its queue is bounded")
	m, answers := message(receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"verdict":"pass"}`)
	}), "msg_1")
	require.True(t, s.Send(m))
	await(t, answers)
	require.Equal(t, 1, strings.Count(s.log.String(), "level=WARN"), "told once")
}

func TestAFailureIsToldOnceAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	fails.Store(true)
	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if fails.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	s := run(t)
	m, answers := message(url+"/token-in-the-path?token=in-the-query", "msg_1")
	m.Event = tenants.HookPostToolUse
	for n := range int64(3) {
		require.True(t, s.Send(m))
		require.Eventually(t, func() bool { return s.failed.Load() > n }, patience, time.Millisecond)
		m.ID += "_"
	}
	fails.Store(false)
	require.True(t, s.Send(m))
	await(t, answers)
	s.ends()
	log := s.log.String()
	require.Equal(t, 1, strings.Count(log, "webhook fails"))
	require.Equal(t, 1, strings.Count(log, "webhook answers again"))
	for _, leak := range []string{"token", secret, strings.TrimPrefix(secret, "whsec_"), url} {
		require.NotContains(t, log, leak)
	}
}

func TestWhatCannotBeSentIsToldWithoutSecrets(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]tenants.Hook{
		"no secret":  {ID: "h", URL: "https://127.0.0.1/x"},
		"bad secret": {ID: "h", URL: "https://127.0.0.1/x", Secret: "whsec_!token!"},
		"bad url":    {ID: "h", URL: "https://127.0.0.1/%zz?token", Secret: secret},
		"metadata":   {ID: "h", URL: "http://169.254.169.254/?token", Secret: secret},
		"redirect": {ID: "h", Secret: secret, URL: receiver(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/?token", http.StatusTemporaryRedirect)
		})},
	} {
		s := run(t)
		m, _ := message("", "msg_1")
		m.Hook = hook
		require.True(t, s.Send(m), name)
		require.Eventually(t, func() bool { return strings.Contains(s.log.String(), "webhook fails") }, patience, time.Millisecond, name)
		require.NotContains(t, s.log.String(), "token", name)
	}
}

func TestAStopWaitsForWhatIsInFlightAndDropsTheRest(t *testing.T) {
	t.Parallel()
	arrived, leave := make(chan struct{}, 100), make(chan struct{})
	let := sync.OnceFunc(func() { close(leave) })
	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-leave
		_, _ = io.WriteString(w, `{"verdict":"pass"}`)
	})
	s := run(t)
	t.Cleanup(let) // also where the test fails
	answered := make(chan hooks.Answer, 100)
	for i := range 40 {
		m, _ := message(url, strconv.Itoa(i))
		m.Done = func(_ context.Context, a hooks.Answer) { answered <- a }
		require.True(t, s.Send(m))
	}
	for range 16 {
		await(t, arrived)
	}
	s.stop()
	require.Eventually(t, func() bool {
		m, _ := message(url, "late")
		return !s.Send(m)
	}, patience, time.Millisecond)
	let()
	s.ends()
	require.Len(t, answered, 16)
}

func TestAnAnswerThatTakesTooLongIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	url := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // from then on the server sees that nobody waits
		<-r.Context().Done()
	})
	m, _ := message(url, "msg_1")
	m.For = 20 * time.Millisecond
	s := run(t)
	require.True(t, s.Send(m))
	require.Eventually(t, func() bool { return strings.Contains(s.log.String(), "webhook fails") }, patience, time.Millisecond)
}
