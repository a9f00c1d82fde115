package chaos

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

const (
	devKey = "the-key-of-everybody"
	// within is how long anything may take that is awaited by the stress tests.
	within = 3 * time.Minute
)

// stand is a Redis with gateways whose one key has every role.
type stand struct {
	t        *testing.T
	redis    *redistest.Server
	gateways []*process
	clients  *http.Transport
}

// newStand starts a gateway on each URL; "" is the Redis itself.
func newStand(t *testing.T, redis *redistest.Server, urls ...string) *stand {
	t.Helper()
	s := &stand{t: t, redis: redis, clients: &http.Transport{MaxIdleConnsPerHost: 8}}
	t.Cleanup(s.clients.CloseIdleConnections)
	for _, url := range urls {
		if url == "" {
			url = redis.URL()
		}
		p := newProcess(t, "--dev", "--redis="+url, "--log-level=warn")
		// Frequent collections, so that the last one tells what is alive.
		p.env = []string{"GATEWAY_DEV_KEY=" + devKey, "GODEBUG=gctrace=1", "GOGC=25"}
		require.NoError(t, p.up(t.Context()))
		s.gateways = append(s.gateways, p)
	}
	return s
}

// at is a client of one gateway.
func (s *stand) at(i int) *casetest.Client {
	return casetest.NewClient("http://"+s.gateways[i].addr, devKey, s.clients)
}

// session makes one with the usual tools.
func (s *stand) session() string {
	s.t.Helper()
	sid, err := s.open(s.t.Context())
	require.NoError(s.t, err)
	return sid
}

func (s *stand) open(ctx context.Context) (string, error) {
	made, err := s.at(0).CreateSession(ctx, map[string]any{"tools": casetest.StandardTools()})
	return made.ID, err //nolint:wrapcheck // the test says what it was
}

// fill is run, which has to succeed.
func (s *stand) fill(gateway int, sid string, calls, length int) {
	s.t.Helper()
	require.NoError(s.t, s.run(s.t.Context(), gateway, sid, calls, length))
}

// run runs a batch on one gateway whose calls have outputs of this length.
// They are so many events, beside those of the batch.
func (s *stand) run(ctx context.Context, gateway int, sid string, calls, length int) error {
	var inputs []callInput
	var reports []any
	tag := fmt.Sprint(clock())
	for i := range calls {
		id := fmt.Sprintf("call-%s-%d", tag, i)
		inputs = append(inputs, callInput{ID: id, Name: "read_file", Arguments: map[string]any{"file_path": "/" + id}})
		reports = append(reports, map[string]any{"position": i, "status": "success", "output": strings.Repeat("x", length)})
	}
	body := map[string]any{"calls": inputs, "host_id": "h", "turn_id": tag}
	b, err := s.at(gateway).Submit(ctx, sid, body)
	if err != nil {
		return err //nolint:wrapcheck // the test says what it was
	}
	_, err = s.at(gateway).Report(ctx, sid, b.ID, "h", reports...)
	return err //nolint:wrapcheck // the test says what it was
}

// head is the id of a session's last event.
func (s *stand) head(gateway int, sid string) string {
	s.t.Helper()
	now, err := s.at(gateway).Session(s.t.Context(), sid)
	require.NoError(s.t, err)
	return now.LastEventID
}

// listener is a client of one stream that counts and keeps nothing.
type listener struct {
	addr, sid string
	clients   *http.Transport
	last      string // the last id that came
	resets    []frame
	wrong     error // what came that did not continue what came before
}

// listen reads until an event, or until the stream ends.
func (l *listener) listen(ctx context.Context, until func(frame) bool) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.addr+"/v1/sessions/"+l.sid+"/events", http.NoBody)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+devKey)
	if l.last != "" {
		req.Header.Set("Last-Event-ID", l.last)
	}
	res, err := l.clients.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it is left for good
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: listen: %d", errRefused, res.StatusCode)
	}
	frames := newFrameReader(res.Body)
	for {
		f, err := frames.next()
		if err != nil {
			return err
		}
		l.take(f)
		if until(f) {
			return nil
		}
	}
}

func (l *listener) take(f frame) {
	switch {
	case f.event == casetest.TypeReset:
		l.resets = append(l.resets, f)
		return
	case f.event == "" || f.event == casetest.TypeSnapshot:
	case seqOf(f.id) != seqOf(l.last)+1 && l.wrong == nil:
		l.wrong = fmt.Errorf("%w: %s came after %s", casetest.ErrChain, f.id, l.last)
	}
	if f.id != "" {
		l.last = f.id
	}
}

// reaches is an end of listening: this event came.
func reaches(id string) func(frame) bool { return func(f frame) bool { return f.id == id } }
