package stream_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// house is a tenant with events in two of its logs, and a running replica, in
// fake time.
type house struct {
	stage
}

func inHouse(t *testing.T, change func(*stream.Config), play func(h house)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := house{stage{t: t, logs: streamtest.New()}}
		h.happens(3, "a", "b")
		h.happens(9, "c")
		h.hub = newHub(h.logs, change)
		start(t, h.hub)
		play(h)
	})
}

func tenantEvent(name string) stream.Draft {
	return stream.Draft{Type: "session.updated", Data: fmt.Appendf(nil, `{"name":%q}`, name)}
}

// happens commits and announces events in one log of the tenant.
func (h house) happens(bucket uint16, names ...string) {
	for _, name := range names {
		h.logs.Append(stream.TenantTopic(bucket, "acme"), tenantEvent(name))
	}
}

func (h house) at() string {
	v := h.logs.Place("acme")
	return v.String()
}

func tenantCursor(t testing.TB, s string) stream.TenantCursor {
	t.Helper()
	c, err := stream.ParseTenantCursor(s)
	require.NoError(t, err)
	return c
}

func (h house) visit(r stream.TenantRequest) *client {
	r.Tenant, r.Buckets = "acme", streamtest.Buckets()
	c := connectTo(h.t, func(s serving) error { return h.hub.ServeTenant(s.ctx, s.w, r) })
	synctest.Wait()
	return c
}

// names are what has arrived: events by their name, other frames by their type.
func (c *client) names() []string {
	names := []string{}
	for _, e := range c.events() {
		if _, rest, ok := strings.Cut(e.data, `{"name":"`); ok {
			names = append(names, rest[:strings.IndexByte(rest, '"')])
		} else {
			names = append(names, e.typ)
		}
	}
	return names
}

func (c *client) last() wireEvent {
	all := c.events()
	return all[len(all)-1]
}

func TestATenantsStreamBeginsWithTheStateAndGoesOnLive(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		require.Equal(t, []string{stream.TypeTenantSnapshot}, c.names())
		require.Equal(t, h.at(), c.last().id)
		want := fmt.Sprintf(`{"tenant":"acme","includes":%q}`, h.at())
		require.Equal(t, `{"type":"tenant.snapshot","time":"2025-01-02T03:04:05.678Z","data":`+want+`}`, c.last().data)

		for i, name := range []string{"d", "e", "f", "g"} {
			h.happens([]uint16{3, 9, 15, 9}[i], name)
			synctest.Wait()
			require.Equal(t, name, c.names()[i+1])
			require.Equal(t, h.at(), c.last().id, "the id is the place in all logs")
		}
	})
}

func TestATenantsReaderResumesOnAnotherReplica(t *testing.T) {
	inHouse(t, nil, func(h house) {
		first := h.visit(stream.TenantRequest{})
		h.happens(3, "d")
		synctest.Wait()
		at := first.last().id
		h.happens(9, "e")
		h.happens(0, "f")
		h.happens(3, "g")

		other := house{stage{t: h.t, logs: h.logs, hub: newHub(h.logs, nil)}}
		start(h.t, other.hub)
		c := other.visit(stream.TenantRequest{Cursor: tenantCursor(h.t, at)})
		require.ElementsMatch(t, []string{"e", "f", "g"}, c.names())
		require.Equal(t, h.at(), c.last().id)
	})
}

func TestATenantsLatestIsLiveOnlyAndTellsWhereItBegan(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{Cursor: tenantCursor(h.t, "latest")})
		require.Equal(t, []string{""}, c.names(), "only the id, no event")
		require.Equal(t, h.at(), c.last().id)
		h.happens(9, "d")
		synctest.Wait()
		require.Equal(t, []string{"", "d"}, c.names())
	})
}

func TestATenantsCursorThatCantBeContinuedIsReset(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(h house)
		why   stream.Reason
	}{
		"trimmed": {func(h house) {
			h.happens(3, "d", "e")
			h.logs.Trim(stream.TenantTopic(3, "acme"), 4)
		}, stream.ReasonTrimmed},
		"trimmed where nothing was": {func(h house) {
			h.happens(5, "d", "e")
			h.logs.Trim(stream.TenantTopic(5, "acme"), 2)
		}, stream.ReasonTrimmed},
		"ahead":    {func(h house) { h.logs.Rewind(stream.TenantTopic(3, "acme"), 1) }, stream.ReasonAhead},
		"diverged": {func(h house) { h.logs.Rewind(stream.TenantTopic(3, "acme"), 1); h.happens(3, "x") }, stream.ReasonDiverged},
		"lost":     {func(h house) { h.logs.Remove(stream.TenantTopic(3, "acme")) }, stream.ReasonAhead},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, nil, func(h house) {
				at := h.at()
				test.spoil(h)
				c := h.visit(stream.TenantRequest{Cursor: tenantCursor(h.t, at)})
				require.Equal(h.t, []string{stream.TypeReset, stream.TypeTenantSnapshot}, c.names())
				require.Contains(h.t, c.events()[0].data, fmt.Sprintf(`{"reason":%q,"cursor":%q}`, test.why, at))
				require.Equal(h.t, h.at(), c.last().id)
				h.happens(3, "on")
				synctest.Wait()
				require.Equal(h.t, "on", c.names()[2])
			})
		})
	}
}

func TestATenantsHistoryThatChangesUnderAStreamIsSaid(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		h.logs.Remove(stream.TenantTopic(3, "acme"))
		h.pass(5 * time.Second)
		require.Equal(t, []string{stream.TypeTenantSnapshot, stream.TypeReset, stream.TypeTenantSnapshot}, c.names())
		require.Contains(t, c.events()[1].data, stream.ReasonDiverged)
		require.False(t, c.over(), "a tenant's log is never gone")
		h.happens(3, "on")
		synctest.Wait()
		require.Equal(t, "on", c.names()[3])
	})
}

func TestOtherTenantsAreNotSeen(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		h.logs.Append(stream.TenantTopic(3, "globex"), tenantEvent("theirs"))
		h.logs.Append(topic, draft("session.updated", 1))
		h.pass(20 * time.Second)
		require.Equal(t, []string{stream.TypeTenantSnapshot}, c.names())
	})
}

func TestAClosedSessionDoesNotEndItsTenantsStream(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		h.logs.Append(stream.TenantTopic(3, "acme"), stream.Draft{Type: stream.TypeClosed, Data: []byte(`{}`)})
		h.happens(3, "d")
		h.pass(6 * time.Second)
		require.Equal(t, []string{stream.TypeTenantSnapshot, stream.TypeClosed, "d"}, c.names())
		require.False(t, c.over())
	})
}

func TestALostNoticeDelaysATenantsEventByOneComparison(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		h.logs.Commit(stream.TenantTopic(12, "acme"), tenantEvent("d"))
		h.pass(5 * time.Second)
		require.Equal(t, []string{stream.TypeTenantSnapshot, "d"}, c.names())
	})
}

func TestAFilteredTenantStreamTellsItsPlaceWithTheHeartbeat(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{Filter: filter(h.t, "approval.")})
		h.happens(3, "d")
		h.logs.Append(stream.TenantTopic(3, "acme"), stream.Draft{Type: "approval.requested", Data: []byte(`{"name":"ask"}`)})
		h.happens(9, "e")
		h.pass(15 * time.Second)
		require.Equal(t, []string{stream.TypeTenantSnapshot, "ask", ""}, c.names())
		require.Equal(t, h.at(), c.last().id)
	})
}

// slowSnapshots are made when they are let.
type slowSnapshots struct {
	*streamtest.Logs
	let chan struct{}
}

func (s slowSnapshots) TenantSnapshot(ctx context.Context, tenant string) ([]byte, stream.Vector, error) {
	<-s.let
	return s.Logs.TenantSnapshot(ctx, tenant)
}

func TestACrowdThatComesAtOnceSharesOneSnapshot(t *testing.T) {
	var let chan struct{}
	slow := func(c *stream.Config) {
		let = make(chan struct{})
		c.Tenants = slowSnapshots{c.Log.(*streamtest.Logs), let}
	}
	inHouse(t, slow, func(h house) {
		crowd := make([]*client, 50)
		for i := range crowd {
			crowd[i] = h.visit(stream.TenantRequest{})
		}
		close(let)
		synctest.Wait()
		for _, c := range crowd {
			require.Equal(t, []string{stream.TypeTenantSnapshot}, c.names())
		}
		require.Equal(t, 1, h.logs.Snapshots())
	})
}

func TestACrowdOfATenantCostsNoReadOfItsLogs(t *testing.T) {
	inHouse(t, nil, func(h house) {
		crowd := make([]*client, 50)
		for i := range crowd {
			crowd[i] = h.visit(stream.TenantRequest{Cursor: tenantCursor(h.t, h.at())})
		}
		h.happens(3, "d")
		h.happens(4, "e")
		synctest.Wait()
		for _, c := range crowd {
			require.Equal(t, []string{"d", "e"}, c.names())
		}
		require.Zero(t, h.logs.Reads(), "rings begin at the heads, notices bring the rest")
		require.Equal(t, stream.TenantLogs, h.hub.Stats().Topics)
		require.Equal(t, 50, h.hub.Stats().Readers)
	})
}

func TestATenantsReaderThatComesDuringAnOutageIsRefused(t *testing.T) {
	inHouse(t, nil, func(h house) {
		at := h.at()
		h.logs.Fail(errOutage)
		for _, cursor := range []stream.TenantCursor{{}, tenantCursor(h.t, "latest"), tenantCursor(h.t, at)} {
			c := h.visit(stream.TenantRequest{Cursor: cursor})
			require.ErrorIs(t, c.err, errOutage)
			require.ErrorIs(t, c.err, stream.ErrUnreadable)
			require.Empty(t, c.text(), "before it begins a stream can be refused")
		}
	})
}

func TestATenantsStreamOutlivesAnOutage(t *testing.T) {
	inHouse(t, nil, func(h house) {
		h.visit(stream.TenantRequest{}) // from here on the ends of the logs are known
		h.logs.Fail(errOutage)
		fresh := h.visit(stream.TenantRequest{})
		require.Empty(t, fresh.names())
		h.pass(time.Minute)
		h.logs.Fail(nil)
		h.pass(2 * time.Second)
		h.happens(3, "d")
		synctest.Wait()
		require.Equal(t, []string{stream.TypeTenantSnapshot, "d"}, fresh.names())
	})
}

func TestATenantsStreamEndsWhenTheReplicaDrains(t *testing.T) {
	inHouse(t, nil, func(h house) {
		c := h.visit(stream.TenantRequest{})
		h.hub.Drain(time.Second)
		h.pass(time.Second)
		require.True(t, c.over())
		require.NoError(t, c.err)
		require.ErrorIs(t, h.visit(stream.TenantRequest{}).err, stream.ErrDraining)
	})
}
