package detached_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/api/internal/detached"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is made of functions.
type answer struct {
	begin func(w http.ResponseWriter) error
	run   func(ctx context.Context, w http.ResponseWriter) error
	w     http.ResponseWriter
}

func (a *answer) Begin(w http.ResponseWriter) error {
	a.w = w
	if a.begin == nil {
		return nil
	}
	return a.begin(w)
}

func (a *answer) Run(ctx context.Context) error { return a.run(ctx, a.w) }

// stand is a server whose every response is detached.
type stand struct {
	responses detached.Responses
	url       string
	client    *http.Client
	ended     chan error
	panicked  chan any
}

func newStand(t *testing.T, a answer) *stand {
	t.Helper()
	return standOn(t, a, (*httptest.Server).Start)
}

func standOn(t *testing.T, a answer, start func(*httptest.Server)) *stand {
	t.Helper()
	s := &stand{ended: make(chan error, 10), panicked: make(chan any, 10)}
	s.responses.Ended = func(_ context.Context, err error) { s.ended <- err }
	s.responses.Panicked = func(_ context.Context, v any) { s.panicked <- v }
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "r1")
		one := a
		if !s.responses.Detach(context.WithoutCancel(r.Context()), w, r, &one) {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	start(server)
	s.url, s.client = server.URL, server.Client()
	t.Cleanup(server.Close)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = s.responses.Shutdown(ctx) // what is left is cut off
	})
	return s
}

func (s *stand) get(t *testing.T) *http.Response {
	t.Helper()
	resp, err := s.client.Get(s.url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// ask sends a request on a bare connection.
func (s *stand) ask(t *testing.T, request string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, request)
	require.NoError(t, err)
	return conn
}

// untilLeft runs until the client leaves.
func untilLeft(ctx context.Context, w http.ResponseWriter) error {
	if err := http.NewResponseController(w).Flush(); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestAResponseReadsLikeAnyOther(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*httptest.Server){
		"in the clear": (*httptest.Server).Start, "over TLS": (*httptest.Server).StartTLS,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			readsLikeAnyOther(t, start)
		})
	}
}

func readsLikeAnyOther(t *testing.T, start func(*httptest.Server)) {
	t.Helper()
	long := strings.Repeat("0123456789abcdef", 20<<10)
	s := standOn(t, answer{
		begin: func(w http.ResponseWriter) error {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusAccepted)
			_, err := io.WriteString(w, "a")
			return errors.Join(err, http.NewResponseController(w).Flush())
		},
		run: func(_ context.Context, w http.ResponseWriter) error {
			for part := range strings.SplitSeq(long, "f") {
				if _, err := io.WriteString(w, part+"f"); err != nil {
					return err
				}
			}
			_, err := w.Write(nil)
			return err
		},
	}, start)
	resp := s.get(t)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err, "it ends as a whole")
	require.Equal(t, "a"+long+"f", string(body))
	require.Equal(t, http.StatusAccepted, resp.StatusCode)
	require.Equal(t, "r1", resp.Header.Get("X-Request-Id"), "what was set before is kept")
	require.Equal(t, "text/plain", resp.Header.Get("Content-Type"))
	require.True(t, resp.Close)
	_, err = http.ParseTime(resp.Header.Get("Date"))
	require.NoError(t, err)
	require.NoError(t, <-s.ended)
}

func TestAnAnswerLearnsThatItsClientLeft(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{run: untilLeft})
	require.NoError(t, s.get(t).Body.Close())
	require.ErrorIs(t, <-s.ended, context.Canceled)
}

func TestAClientThatTalksWithoutEndIsCutOff(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{run: untilLeft})
	conn := s.ask(t, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	var writing sync.WaitGroup
	writing.Go(func() {
		_, _ = io.WriteString(conn, strings.Repeat("more\r\n", 10_000))
	})
	require.ErrorIs(t, <-s.ended, context.Canceled)
	writing.Wait()
}

func TestAPanicBreaksOffItsResponseAlone(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{
		begin: func(w http.ResponseWriter) error { return http.NewResponseController(w).Flush() },
		run:   func(context.Context, http.ResponseWriter) error { panic("oops") },
	})
	_, err := io.ReadAll(s.get(t).Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "oops", <-s.panicked)
}

func TestAResponseThatFailsToBeginIsOver(t *testing.T) {
	t.Parallel()
	why := errors.New("no")
	s := newStand(t, answer{begin: func(http.ResponseWriter) error { return why }})
	_, err := http.Get(s.url)
	require.Error(t, err)
	require.ErrorIs(t, <-s.ended, why)
}

func TestAClientThatDoesNotReadMeetsItsDeadline(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{run: func(_ context.Context, w http.ResponseWriter) error {
		control := http.NewResponseController(w)
		if err := control.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
			return err
		}
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	}})
	s.ask(t, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	var timeout net.Error
	require.ErrorAs(t, <-s.ended, &timeout)
	require.True(t, timeout.Timeout())
}

func TestShutdownWaitsAndThenCuts(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{run: untilLeft})
	s.get(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.responses.Shutdown(ctx), context.DeadlineExceeded)
	require.ErrorIs(t, <-s.ended, context.Canceled)
	require.NoError(t, s.responses.Shutdown(t.Context()), "nothing is left")
	require.Equal(t, http.StatusTeapot, s.get(t).StatusCode, "and nothing is detached any more")
}

func TestWhatIsNotHTTP11StaysWhereItIs(t *testing.T) {
	t.Parallel()
	s := newStand(t, answer{run: untilLeft})
	conn := s.ask(t, "GET / HTTP/1.0\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusTeapot, resp.StatusCode)

	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	require.False(t, s.responses.Detach(t.Context(), httptest.NewRecorder(), r, &answer{}), "there is no connection")
}
