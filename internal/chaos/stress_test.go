package chaos

import (
	"context"
	"encoding/json"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// memoryGrowth is what a gateway may take beyond what its connections cost
// while one of their readers is stalled: a ring, some pages, garbage.
const memoryGrowth = 64 << 20

func TestAStalledReaderHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	s := newStand(t, redistest.Start(t), "")
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	sid := s.session()
	stall(t, s.gateways[0].addr, sid)
	first := s.head(0, sid)

	listeners := s.crowd(choose(100, 1000), []string{sid})
	var connected, done errgroup.Group
	release := make(chan struct{})
	var last string
	for _, l := range listeners {
		joined := make(chan struct{})
		connected.Go(func() error { return waitFor(ctx, joined) })
		done.Go(func() error {
			if err := l.listen(ctx, reaches(first)); err != nil {
				return err
			}
			close(joined)
			return l.listen(ctx, func(f frame) bool {
				select {
				case <-release:
					return seqOf(f.id) >= seqOf(last)
				default:
					return false
				}
			})
		})
	}
	require.NoError(t, connected.Wait())
	before := s.gateways[0].memory(t)
	for range 30 {
		s.fill(0, sid, 10, 16<<10) // more than the system buffers for a connection
	}
	last = s.head(0, sid)
	close(release)
	s.fill(0, sid, 1, 1) // whoever has read all by now looks again
	require.NoError(t, done.Wait())
	for _, l := range listeners {
		require.NoError(t, l.wrong)
		require.Empty(t, l.resets)
	}
	require.Less(t, s.gateways[0].memory(t)-before, memoryGrowth)
}

// stall opens a stream that nobody ever reads.
func stall(t *testing.T, addr, sid string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.(*net.TCPConn).SetReadBuffer(4<<10))
	_, err = c.Write([]byte("GET /v1/sessions/" + sid + "/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + devKey + "\r\n\r\n"))
	require.NoError(t, err)
}

func waitFor(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the test says what it waits for
	}
}

// crowd is listeners of the first gateway, spread over sessions.
func (s *stand) crowd(n int, sids []string) []*listener {
	list := make([]*listener, n)
	for i := range list {
		list[i] = &listener{addr: s.gateways[0].addr, sid: sids[i%len(sids)], clients: s.clients}
	}
	return list
}

func TestACrowdThatLostItsGatewayComesBackWithoutLoss(t *testing.T) {
	t.Parallel()
	s := newStand(t, redistest.Start(t), "", "")
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	var sids, heads []string
	for range 20 {
		sids = append(sids, s.session())
		heads = append(heads, s.head(0, sids[len(sids)-1]))
	}
	listeners := s.crowd(choose(500, 5000), sids)
	require.NoError(t, each(listeners, func(i int, l *listener) error { return l.listen(ctx, reaches(heads[i%len(sids)])) }))

	var lost errgroup.Group
	for _, l := range listeners {
		lost.Go(func() error {
			_ = l.listen(ctx, func(frame) bool { return false }) // until its gateway dies
			return ctx.Err()
		})
	}
	s.gateways[0].kill()
	require.NoError(t, lost.Wait())
	for i, sid := range sids {
		s.fill(1, sid, 5, 100)
		heads[i] = s.head(1, sid)
	}
	require.NoError(t, s.gateways[0].up(ctx))
	begin := time.Now()
	require.NoError(t, each(listeners, func(i int, l *listener) error { return l.listen(ctx, reaches(heads[i%len(sids)])) }))
	t.Logf("%d clients came back and caught up in %v", len(listeners), time.Since(begin))
	for _, l := range listeners {
		require.NoError(t, l.wrong)
		require.Empty(t, l.resets)
	}
}

// each lets all act at once.
func each(listeners []*listener, act func(int, *listener) error) error {
	var g errgroup.Group
	for i, l := range listeners {
		g.Go(func() error { return act(i, l) })
	}
	return g.Wait() //nolint:wrapcheck // the test says what it was
}

func TestTheLastEventArrivesThoughItsMessageWasLost(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	deaf := newDeafWire(t, redis.Addr())
	s := newStand(t, redis, "redis://"+deaf.addr(), "")
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	sid := s.session()
	l := &listener{addr: s.gateways[0].addr, sid: sid, clients: s.clients}

	came := make(chan string, 1)
	var reading errgroup.Group
	reading.Go(func() error {
		return l.listen(ctx, func(f frame) bool {
			if f.event == "batch.completed" {
				came <- f.id
			}
			return f.event == "session.closed"
		})
	})
	s.fill(1, sid, 2, 10)
	require.NoError(t, arrives(ctx, came), "messages get through")
	deaf.close()
	s.fill(1, sid, 2, 10)
	begin := time.Now()
	require.NoError(t, arrives(ctx, came))
	took := time.Since(begin)
	t.Logf("made good after %v", took)
	require.Less(t, took, madeGoodWithin+slack)
	require.Positive(t, deaf.dropped(), "the message was lost")
	require.NoError(t, s.at(1).CloseSession(ctx, sid))
	require.NoError(t, reading.Wait())
	require.NoError(t, l.wrong)
}

// madeGoodWithin is how late a lost message makes an event: the contract's
// interval between two comparisons of heads.
const madeGoodWithin = 5 * time.Second

// slack is what a busy machine may add to what the contract promises.
const slack = 30 * time.Second

func arrives(ctx context.Context, came <-chan string) error {
	select {
	case <-came:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the test says what it waits for
	}
}

func TestARestoredBackupIsSaidToTheClientThatSawMore(t *testing.T) {
	t.Parallel()
	s := newStand(t, redistest.Start(t), "", "")
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	sid := s.session()
	s.fill(1, sid, 2, 10)
	saved := backUp(t, s.redis)
	s.fill(1, sid, 2, 10)

	l := &listener{addr: s.gateways[0].addr, sid: sid, clients: s.clients}
	seen := s.head(0, sid)
	sawAll := make(chan string, 1)
	var snapshot frame
	var reading errgroup.Group
	reading.Go(func() error {
		return l.listen(ctx, func(f frame) bool {
			if f.id == seen {
				sawAll <- f.id
			}
			if f.event == casetest.TypeSnapshot {
				snapshot = f
			}
			return snapshot.id != "" && f.event == "batch.completed"
		})
	})
	require.NoError(t, arrives(ctx, sawAll))
	saved.restore(t, s.redis)
	s.fill(1, sid, 3, 10)
	s.fill(1, sid, 3, 10)
	require.NoError(t, reading.Wait())
	require.NoError(t, l.wrong)
	require.Len(t, l.resets, 1)
	var told struct{ Data struct{ Reason string } }
	require.NoError(t, json.Unmarshal([]byte(l.resets[0].data), &told))
	require.Equal(t, "diverged", told.Data.Reason)
}
