package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// throughEach runs a test behind each of the shipped proxies. The edits are made
// to what is shipped.
func throughEach(t *testing.T, edits map[string][]edit, test func(t *testing.T, gateway *running, p *proxy, s *stand)) {
	t.Helper()
	t.Parallel()
	for name, kind := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gateway := start(t, "--bootstrap="+bootstrapFile(t))
			p := kind.start(t, []string{gateway.base}, edits[name]...)
			test(t, gateway, p, standAt(t, p.base))
		})
	}
}

// throughEachOfTwo is the same with two replicas on one Redis.
func throughEachOfTwo(t *testing.T, test func(t *testing.T, f *fleet, p *proxy)) {
	t.Helper()
	t.Parallel()
	for name, kind := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			installed(t, name)
			f := startFleet(t, 2)
			test(t, f, kind.start(t, []string{f.replicas[0].base, f.replicas[1].base}))
		})
	}
}

// oneByOne wants each event before the next one is caused: a proxy that
// buffers holds a few small ones back until there are more.
func oneByOne(t *testing.T, s *stand) {
	t.Helper()
	sid := s.session(t, `{}`).ID
	feed := s.follow(t, sid, casetest.Chain{})
	until(t, feed, "session.created")
	for range 5 {
		require.NoError(t, s.Person.Send(t.Context(), casetest.Call{
			Method: http.MethodPatch, Path: "/v1/sessions/" + sid + "/plan", Body: object{"append": "more"},
		}, nil))
		until(t, feed, "plan.updated")
	}
}

func TestProxiesPassEventsOnAtOnce(t *testing.T) {
	throughEach(t, nil, func(t *testing.T, _ *running, _ *proxy, s *stand) { oneByOne(t, s) })
}

func TestNginxBuffersNoStreamEvenIfItIsNotTold(t *testing.T) {
	t.Parallel()
	gateway := start(t, "--bootstrap="+bootstrapFile(t))
	p := startNginx(t, []string{gateway.base}, edit{`proxy_buffering off`, "proxy_buffering on"})
	oneByOne(t, standAt(t, p.base)) // the answer's X-Accel-Buffering says so
}

// TestHeartbeatsKeepSilentStreams: both proxies cut what is silent for 30 s.
func TestHeartbeatsKeepSilentStreams(t *testing.T) {
	edits := map[string][]edit{}
	for name, kind := range proxies {
		edits[name] = []edit{kind.idle}
	}
	throughEach(t, edits, func(t *testing.T, _ *running, _ *proxy, s *stand) {
		sid := s.session(t, `{}`).ID
		feed := s.follow(t, sid, casetest.Chain{})
		until(t, feed, "session.created")
		<-time.After(35 * time.Second)
		require.NoError(t, s.Host.CloseSession(t.Context(), sid))
		until(t, feed, "session.closed") // the same stream
	})
}

// TestNoProxyLogsTickets: not in the log of requests, and not in that of errors
// when there is nobody behind the proxy.
func TestNoProxyLogsTickets(t *testing.T) {
	throughEach(t, nil, func(t *testing.T, gateway *running, p *proxy, s *stand) {
		const ticket = "tkt-of-the-test"
		sid := s.session(t, `{}`).ID
		ask := func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/v1/sessions/"+sid+"/events?ticket="+ticket, nil)
			require.NoError(t, err)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
		}
		ask()
		require.Eventually(t, func() bool {
			return strings.Contains(p.log(), "/v1/sessions/"+sid+"/events")
		}, e2eTimeout, 20*time.Millisecond, "requests are logged")
		gateway.end()
		ask()
		http.DefaultClient.CloseIdleConnections()
		require.NotContains(t, p.log(), ticket)
	})
}

func TestProxiesKeepMetricsInside(t *testing.T) {
	throughEach(t, nil, func(t *testing.T, gateway *running, p *proxy, _ *stand) {
		require.NotEmpty(t, scraped(t, gateway.base))
		resp, err := http.Get(p.base + "/metrics")
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusNotFound, resp.StatusCode)
		http.DefaultClient.CloseIdleConnections()
	})
}

// TestProxiesKeepASessionAtOneReplica: and different sessions at different ones.
func TestProxiesKeepASessionAtOneReplica(t *testing.T) {
	throughEachOfTwo(t, func(t *testing.T, f *fleet, p *proxy) {
		const sessions, reads = 20, 4
		readSessions(t, standAt(t, p.base), sessions, reads)
		var all []string
		for sid, replicas := range p.servedAt(sessions * reads) {
			require.Len(t, replicas, 1, "session %s", sid)
			all = append(all, replicas...)
		}
		require.Len(t, all, sessions)
		slices.Sort(all)
		require.Len(t, slices.Compact(all), len(f.replicas), "replicas")
	})
}

// readSessions makes sessions and reads each some times.
func readSessions(t *testing.T, s *stand, sessions, reads int) {
	t.Helper()
	for range sessions {
		sid := s.session(t, `{}`).ID
		for range reads {
			_, err := s.Host.Session(t.Context(), sid)
			require.NoError(t, err)
		}
	}
}

// proxiedBackends are haproxy's, each of which checks the replicas for itself.
var proxiedBackends = []string{"requests", "sessions", "streams"}

// down are the backends that took a replica out and haven't put it back. Each
// sees it go before it ends: it isn't ready for some seconds before.
func down(log string, replica int) (backends []string) {
	for _, name := range proxiedBackends {
		says := fmt.Sprintf("%s/gateway-%d is ", name, replica)
		if at := strings.LastIndex(log, says); at >= 0 && !strings.HasPrefix(log[at+len(says):], "UP") {
			backends = append(backends, name)
		}
	}
	return backends
}

// TestTheShapeOfComposeIsRestartedUnderLoad runs what deploy/compose.yaml does,
// as processes: two replicas on one Redis behind a proxy. Clients know the
// proxy only, and resume there; so do a reference host and who validates it.
func TestTheShapeOfComposeIsRestartedUnderLoad(t *testing.T) {
	throughEachOfTwo(t, func(t *testing.T, f *fleet, p *proxy) {
		f.via, f.settled = p.base, func(n int) {
			require.Eventually(t, func() bool { return len(down(p.log(), n)) == 0 }, e2eTimeout, 20*time.Millisecond)
		}
		conforming := keepValidating(t, p.base)
		rollUnderLoad(t, f)
		conforming()
	})
}
