package api

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/quota"
)

// Quotas hold callers to what they may use.
type Quotas interface {
	Spend(ctx context.Context, c tenants.Caller, r quota.Resource) []quota.Standing
	OpenStream(ctx context.Context, c tenants.Caller) (release func(), refused *quota.Standing)
	NewSession(ctx context.Context, c tenants.Caller) (*quota.Standing, error)
	Storage(c tenants.Caller) *quota.Standing
}

var _ Quotas = (*quota.Meter)(nil)

// unrefused are the operations that end something, or keep what runs from
// being lost: they are counted, and never refused for a limit, so that no
// tenant can be brought to a state that it may not leave.
var unrefused = []string{
	"claimCalls", "reportResults", "reportProgress", "abortBatch", "completeTurn", "cancelTurn", "respondApproval",
	"closeSession", "heartbeatHost", "detachHost", "signOut",
}

// storing are the operations that begin what is stored; they are refused where
// the tenant has no room left.
var storing = []string{"createSession", "submitBatch", "startTurn"}

// poorRetry is how long a client is asked to wait for what frees itself only
// when something ends: a stream, a session.
const poorRetry = 30 * time.Second

// limited counts a request and refuses it where its tenant or its key has none
// left, and says in either case how they stand. What has calls of its own to
// count, as JSON-RPC has, counts them by itself: one request may hold many.
func (s *server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := requestOf(r.Context()).operation
		if op.public || op.readsBody {
			next.ServeHTTP(w, r)
			return
		}
		if err := s.spend(r.Context(), w.Header(), op.id); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// spend counts an operation; an error refuses it.
func (s *server) spend(ctx context.Context, h http.Header, operation string) error {
	standings := s.quota.Spend(ctx, callerOf(ctx), quota.Requests)
	if operation == "submitBatch" && !slices.ContainsFunc(standings, refused) {
		standings = append(standings, s.quota.Spend(ctx, callerOf(ctx), quota.Batches)...)
	}
	tellLimits(h, standings)
	if i := slices.IndexFunc(standings, refused); i >= 0 && !slices.Contains(unrefused, operation) {
		return spent(standings[i])
	}
	if slices.Contains(storing, operation) {
		if full := s.quota.Storage(callerOf(ctx)); full != nil {
			return exceeded(*full)
		}
	}
	if operation != "createSession" {
		return nil
	}
	switch full, err := s.quota.NewSession(ctx, callerOf(ctx)); {
	case err != nil:
		return fmt.Errorf("count against the limit: %w", err)
	case full != nil:
		return exceeded(*full)
	}
	return nil
}

func refused(s quota.Standing) bool { return s.Refused }

// tellLimits writes the fields of the IETF's draft on rate limits
// (draft-ietf-httpapi-ratelimit-headers): what is allowed, and what is left.
func tellLimits(h http.Header, standings []quota.Standing) {
	if len(standings) == 0 {
		return
	}
	policies, limits := make([]string, 0, len(standings)), make([]string, 0, len(standings))
	for _, s := range standings {
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", s.Name, s.Limit, int(quota.Window.Seconds())))
		limits = append(limits, fmt.Sprintf("%q;r=%d;t=%d", s.Name, s.Left, seconds(s.Reset)))
	}
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(limits, ", "))
}

// seconds rounds up: whoever waits so long waits long enough.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// overLimit is a refusal that says when to come back.
type overLimit struct {
	problem *sessions.Problem
	after   time.Duration
}

// Error is the problem's text.
func (o *overLimit) Error() string { return o.problem.Error() }

// Unwrap is what the client is told.
func (o *overLimit) Unwrap() error { return o.problem }

func spent(s quota.Standing) error {
	return &overLimit{
		refusal(codeRateLimited, "The limit "+s.Name+" of "+strconv.FormatInt(s.Limit, 10)+" a minute is used up."), s.Reset,
	}
}

func exceeded(s quota.Standing) error {
	return &overLimit{refusal(codeQuotaExceeded, "The limit "+s.Name+" of "+strconv.FormatInt(s.Limit, 10)+" is reached."), poorRetry}
}

// retryAfterOf is how long a client is asked to wait, in seconds.
func retryAfterOf(err error) int {
	if o, ok := errors.AsType[*overLimit](err); ok {
		return max(seconds(o.after), 1)
	}
	return retryAfter
}

// placed is a stream that has one of its caller's places until it is over.
type placed struct {
	stream.Stream
	release func()
}

// Begin gives the place back when the stream doesn't begin.
func (p placed) Begin(w http.ResponseWriter) error {
	err := p.Stream.Begin(w)
	if err != nil {
		p.release()
	}
	return err
}

// Advance gives the place back at the end.
func (p placed) Advance(ctx context.Context) (open bool, err error) {
	defer func() {
		if !open { // it may have panicked
			p.release()
		}
	}()
	return p.Stream.Advance(ctx)
}

// placing opens a stream in one of the caller's places.
func (s *server) placing(ctx context.Context, open func() (stream.Stream, error)) (stream.Stream, error) {
	release, full := s.quota.OpenStream(ctx, callerOf(ctx))
	if full != nil {
		return nil, exceeded(*full)
	}
	opened, err := open()
	if err != nil {
		release()
		return nil, err
	}
	return placed{Stream: opened, release: release}, nil
}
