package sessions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// stage is one session, two replicas and the Redis between them.
type stage struct {
	*actor        // on the first replica
	other  *actor // the same caller on the second
	redis  *redis.Client
	sid    string

	place stream.Topic // of the session

	mu  sync.Mutex
	ran map[int]int // by position: how often some host executed the call
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return stageOn(t, redistest.Shared(t))
}

// alone is a stage whose Redis no other test's replicas sweep: those know
// nothing of what its tenant has set.
func alone(t *testing.T) *stage {
	t.Helper()
	return stageOn(t, redistest.Start(t))
}

func stageOn(t *testing.T, server *redistest.Server) *stage {
	t.Helper()
	a := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	s := &stage{actor: a, other: a.at(start(t, server.URL(), nil)), redis: server.Client(t)}
	s.begin()
	return s
}

// begin makes another session the stage's.
func (s *stage) begin() {
	s.t.Helper()
	s.sid, s.ran = s.create(nil).ID, map[int]int{}
	s.place = s.topic(s.sid)
}

// host is one attachment of a host, through one replica.
type host struct {
	*stage
	via  *actor
	from scheduler.Sender
}

func (s *stage) attach(via *actor, name string) *host {
	s.t.Helper()
	reply, err := via.Attach(context.Background(), via.caller, sessions.Idempotency{}, s.sid, sessions.AttachRequest{HostID: name})
	require.NoError(s.t, err)
	return &host{stage: s, via: via, from: scheduler.Sender{Host: name, Fence: reply.Value.Fence}}
}

// takes claims one call and says whether it was granted.
func (h *host) takes(b sessions.Batch, position int) (bool, error) {
	reply, err := h.via.Claim(context.Background(), h.caller, sessions.Idempotency{}, b.SessionID, b.ID, sessions.ClaimRequest{
		HostID: h.from.Host, Fence: &h.from.Fence, Positions: []int{position},
	})
	return err == nil && reply.Value[0].Granted, err
}

// runs executes a call, if it is granted.
func (h *host) runs(b sessions.Batch, position int) bool {
	h.t.Helper()
	granted, _ := h.takes(b, position)
	if granted {
		h.mu.Lock()
		h.ran[position]++
		h.mu.Unlock()
	}
	return granted
}

func (h *host) reports(b sessions.Batch, position int) error {
	r := succeed(position, "by "+h.from.Host)
	r.HostID, r.Fence = &h.from.Host, &h.from.Fence
	_, err := h.via.tell(b, r)
	return err
}

func (h *host) beats() (sessions.Renewal, error) {
	return h.via.Heartbeat(context.Background(), h.caller, h.sid, h.from)
}

func (h *host) leaves() error {
	return h.via.Detach(context.Background(), h.caller, h.sid, h.from)
}

// key is a key of the session in Redis.
func (s *stage) key(name string) string {
	return fmt.Sprintf("gw:{b%04d}:%s:%s:%s", s.place.Bucket, s.place.Tenant, s.place.Session, name)
}

// diesLongAgo lets a host's lease have run out, without a word to anybody.
func (h *host) diesLongAgo() {
	h.t.Helper()
	key := h.key("lease")
	parts := strings.SplitN(h.redis.Get(context.Background(), key).Val(), " ", 4)
	require.Len(h.t, parts, 4)
	parts[2] = "1"
	require.NoError(h.t, h.redis.Set(context.Background(), key, strings.Join(parts, " "), 0).Err())
}

// comesDue lets the sweepers look at the session now.
func (s *stage) comesDue() {
	s.t.Helper()
	topic := s.place
	err := s.redis.ZAddXX(context.Background(), fmt.Sprintf("gw:{b%04d}:deadlines", topic.Bucket),
		redis.Z{Score: 1, Member: topic.Tenant + ":" + topic.Session}).Err()
	require.NoError(s.t, err)
}

// isFoundLost waits until the log says so, without asking the use cases, which
// would find it out themselves.
func (h *host) isFoundLost() {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		events, err := h.store.Read(context.Background(), h.place, 0, 1<<20)
		return err == nil && slices.ContainsFunc(events, func(e stream.Event) bool { return e.Type == "host.lost" })
	}, patience, 10*time.Millisecond)
}

// verifyOnce: no call ran twice, and each has one result, in order.
func (s *stage) verifyOnce(b sessions.Batch) {
	s.t.Helper()
	for position, n := range s.ran {
		require.Equal(s.t, 1, n, "call %d ran %d times", position, n)
	}
	results := make([]int, len(b.Calls))
	for _, e := range s.events(s.sid) {
		if e.Type == "call.result" && e.BatchID == b.ID {
			var r struct{ Position int }
			require.NoError(s.t, unmarshal(string(e.Data), &r))
			results[r.Position]++
		}
	}
	for position, n := range results {
		require.Equal(s.t, 1, n, "call %d has %d results", position, n)
	}
}
