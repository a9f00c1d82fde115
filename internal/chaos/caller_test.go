package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
)

const (
	// attemptWithin is how long a client waits for one replica before it tries
	// the next: a frozen one never says no.
	attemptWithin = 4 * time.Second
	// longestPoll is the ?wait= of a client that waits for a batch; below attemptWithin.
	longestPoll = "2s"
	// retryEvery is about how long a client waits between two attempts.
	retryEvery = 60 * time.Millisecond
)

// caller is one party with its key. It has no replica of its own: every
// request goes to another one, and a request without a definitive answer is
// sent again, the same, elsewhere.
type caller struct {
	world  *world
	name   string
	chance *rand.Rand // of this party alone
	sent   int        // numbers the idempotency keys
	id     string     // makes them unique among parties of the same name
}

// span is when a request was first sent and when its answer came.
type span struct{ call, ret int64 }

// post sends a POST with an idempotency key of its own.
func (c *caller) post(ctx context.Context, path string, body any) (casetest.Answer, span, error) {
	c.sent++
	return c.ask(ctx, casetest.Call{
		Method: http.MethodPost, Path: path, Body: body,
		Header: map[string]string{"Idempotency-Key": fmt.Sprintf("%s-%s-%d", c.name, c.id, c.sent)},
	})
}

// get sends a GET.
func (c *caller) get(ctx context.Context, path string) (casetest.Answer, span, error) {
	return c.ask(ctx, casetest.Call{Method: http.MethodGet, Path: path})
}

// ask sends a request until its answer is definitive. It fails only when ctx
// is over; then nobody knows what became of it.
func (c *caller) ask(ctx context.Context, call casetest.Call) (casetest.Answer, span, error) {
	s := span{call: clock()}
	for {
		a, err := c.attempt(ctx, call)
		if err == nil && a.Status != http.StatusServiceUnavailable {
			s.ret = clock()
			return a, s, nil
		}
		c.world.tally.count("attempts without an answer" + c.excuse(a, err))
		if err := pause(ctx, retryEvery/2+time.Duration(c.chance.Int64N(int64(retryEvery)))); err != nil {
			return casetest.Answer{}, s, err
		}
	}
}

// excuse is the code of a 503, if there was one.
func (c *caller) excuse(a casetest.Answer, err error) string {
	if err != nil {
		return ""
	}
	return ": " + decode[problem](c, a).Code
}

// attempt sends a request once, to any replica.
func (c *caller) attempt(ctx context.Context, call casetest.Call) (casetest.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptWithin)
	defer cancel()
	c.world.tally.count("requests")
	a, err := c.world.client(c.chance.IntN(replicas), c.name).Do(ctx, call)
	if err == nil && a.Status >= http.StatusInternalServerError && a.Status != http.StatusServiceUnavailable {
		c.world.wrong("%s %s: %d %s", call.Method, call.Path, a.Status, a.Body)
	}
	return a, err //nolint:wrapcheck // counted and forgotten
}

// errGone says that what is to be watched does not exist.
var errGone = errors.New("the session is gone")

// stream opens a stream at a replica, behind a cursor if there is one.
func (c *caller) stream(ctx context.Context, replica int, path, cursor string) (io.ReadCloser, error) {
	base := "http://" + c.world.wires[replica%replicas].addr
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+keyOf(c.name))
	if cursor != "" {
		req.Header.Set("Last-Event-ID", cursor)
	}
	res, err := c.world.clients.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	if res.StatusCode == http.StatusOK {
		return res.Body, nil
	}
	text, err := io.ReadAll(res.Body)
	err = errors.Join(err, res.Body.Close())
	switch res.StatusCode {
	case http.StatusNotFound:
		return nil, errGone
	case http.StatusServiceUnavailable:
	default:
		c.world.wrong("watch %s behind %q: %d %s", path, cursor, res.StatusCode, text)
	}
	return nil, errors.Join(fmt.Errorf("%w: watch: %d", errRefused, res.StatusCode), err)
}

// problem is a refusal's code and further members.
type problem struct {
	Code           string  `json:"code"`
	HeldBy         string  `json:"held_by"`
	ApprovalStatus string  `json:"approval_status"`
	ResolvedBy     *string `json:"resolved_by"`
	OptionID       *string `json:"option_id"`
}

// decode reads an answer's body; what is not what the contract says is noted.
func decode[T any](c *caller, a casetest.Answer) T {
	var v T
	if err := json.Unmarshal(a.Body, &v); err != nil {
		c.world.wrong("%s got an answer that can't be read: %d %s", c.name, a.Status, a.Body)
	}
	return v
}

// chanceFor is a stream of chance that depends on the seed and on whose it is.
func chanceFor(seed uint64, parts ...uint64) *rand.Rand {
	mixed := seed
	for _, p := range parts {
		mixed = mixed*0x9E3779B97F4A7C15 + p + 1
	}
	return rand.New(rand.NewPCG(seed, mixed))
}
