package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

func TestRefusalsOfUseCasesKeepTheirCode(t *testing.T) {
	t.Parallel()
	for _, kind := range api.ProblemKinds() {
		t.Run(string(kind.Code), func(t *testing.T) {
			t.Parallel()
			b := start(t)
			b.service.refuse = &sessions.Problem{Code: kind.Code, Detail: "why", Extra: map[string]any{"batch_id": bid, "status": 1}}
			res := request(t, b, http.MethodGet, "/v1/sessions/"+sid, nil)
			require.Equal(t, kind.Status, res.StatusCode)
			assert.Equal(t, kind.Retryable, res.Header.Get("Retry-After") != "", "retryable problems say when")
			assert.Equal(t, kind.Status == 401, res.Header.Get("WWW-Authenticate") != "")
			assert.Equal(t, kind.Status >= 500 && !kind.Retryable, strings.Contains(b.log.String(), "level=ERROR"), "a mistake")
			assert.Equal(t, kind.Status >= 500 && kind.Retryable, strings.Contains(b.log.String(), "level=WARN"), "what passes by itself")
		})
	}
}

// request is for answers that only a fake gives, which the contract doesn't have.
func request(t *testing.T, b *bench, method, path string, header map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.base+path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer admin")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, res.Body.Close())
		http.DefaultClient.CloseIdleConnections()
	})
	return res
}

func TestMembersOfAProblemAreNeverReplaced(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.refuse = &sessions.Problem{
		Code: sessions.CodeBatchInProgress, Detail: "why", Extra: map[string]any{"batch_id": bid, "status": 200, "code": "x"},
	}
	a := b.Post(t, "/v1/sessions/"+sid+"/batches", apitest.GoodBody("submitBatch"))
	p := a.Problem(t)
	assert.Equal(t, "batch_in_progress", p.Code)
	assert.Equal(t, 409, p.Status)
	assert.Contains(t, string(a.Body), `"batch_id":"bat_1"`)
	assert.Equal(t, a.Header.Get("X-Request-Id"), p.RequestID)
}

func TestAnUnknownErrorIsLoggedAndNotTold(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.refuse = errors.New("dial redis: hunter2")
	a := b.Do(t, apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Header: map[string]string{"X-Request-Id": "mine-1"}})
	p := a.Problem(t)
	assert.Equal(t, "internal", p.Code)
	assert.Equal(t, "mine-1", p.RequestID)
	assert.NotContains(t, string(a.Body), "hunter2")
	assert.Contains(t, b.log.String(), "mine-1")
	assert.Contains(t, b.log.String(), "dial redis")
}

func TestARequestIDThatCouldForgeALogLineIsReplaced(t *testing.T) {
	t.Parallel()
	b := start(t)
	a := b.Do(t, apitest.Call{Method: "GET", Path: "/healthz", Header: map[string]string{"X-Request-Id": "a b=c"}})
	assert.Regexp(t, `^req_[0-9A-Z]{26}$`, a.Header.Get("X-Request-Id"))
}

func TestAPanicIsAProblemAndALineInTheLog(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) {
		c.Ready = func(context.Context) (api.Readiness, error) { panic("boom") }
	})
	a := b.Get(t, "/readyz")
	require.Equal(t, "internal", a.Problem(t).Code)
	assert.NotContains(t, string(a.Body), "boom")
	assert.Contains(t, b.log.String(), "boom")
	require.Equal(t, 200, b.Get(t, "/healthz").Status, "the server lives on")
}

func TestReadinessSaysWhatTheStoreIs(t *testing.T) {
	t.Parallel()
	require.JSONEq(t, `{"status":"ready","store":"embedded","volatile":true}`, string(start(t).Get(t, "/readyz").Body))
	b := start(t, func(c *api.Config) {
		c.Ready = func(context.Context) (api.Readiness, error) {
			return api.Readiness{Store: "redis", Detail: "the store does not answer"}, errors.New("dial: hunter2")
		}
	})
	a := b.Get(t, "/readyz")
	require.Equal(t, 503, a.Status)
	require.NotContains(t, string(a.Body), "hunter2")
}

func TestOnlyLoopbackNamesAreAnsweredOnLoopback(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Hosts = []string{"gateway.local"} })
	for host, allowed := range map[string]bool{
		"localhost": true, "localhost:1": true, "LOCALHOST.": true, "127.0.0.1:8080": true, "127.9.9.9": true,
		"[::1]:8080": true, "gateway.local:80": true,
		"evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"10.0.0.1": false, "0.0.0.0": false,
	} {
		a := b.Do(t, apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Host: host})
		if allowed {
			assert.Equal(t, 200, a.Status, host)
		} else {
			assert.Equal(t, "host_refused", a.Problem(t).Code, host)
		}
	}
	public := start(t, func(c *api.Config) { c.Loopback = false })
	require.Equal(t, 200, public.Do(t, apitest.Call{Method: "GET", Path: "/healthz", Host: "gw.example"}).Status)
}

func TestPagesOfOtherOriginsCannotWrite(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, header := range []map[string]string{
		{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
	} {
		a := b.Do(t, apitest.Call{Method: "POST", Path: "/v1/sessions", Body: `{}`, Header: header})
		require.Equal(t, "origin_refused", a.Problem(t).Code, "%v", header)
	}
	require.Zero(t, b.service.count())
	same := b.Do(t, apitest.Call{Method: "POST", Path: "/v1/sessions", Body: `{}`, Header: map[string]string{"Origin": b.base}})
	require.Equal(t, 201, same.Status)
	require.Empty(t, same.Header.Get("Access-Control-Allow-Origin"))
}

func TestUnknownRoutesAndMethodsAreProblems(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, path := range []string{"/", "/v1", "/v2/sessions", "/v1/sessions/", "/v1/sessions/" + sid + "/nothing", "/metric"} {
		require.Equal(t, "not_found", b.Get(t, path).Problem(t).Code, path)
	}
	a := b.Do(t, apitest.Call{Method: "DELETE", Path: "/v1/sessions/" + sid + "/plan"})
	require.Equal(t, "method_not_allowed", a.Problem(t).Code)
	require.Equal(t, "GET, PATCH", a.Header.Get("Allow"))
}

func TestTheContractIsServedAsWritten(t *testing.T) {
	t.Parallel()
	a := start(t).Get(t, "/openapi.yaml")
	require.Equal(t, "application/yaml", a.Header.Get("Content-Type"))
	require.Contains(t, string(a.Body), "openapi: 3.0.3")
}

func TestAStreamThatCannotBeginIsAProblem(t *testing.T) {
	t.Parallel()
	for err, code := range map[error]string{
		stream.ErrNoLog: "not_found", stream.ErrBusy: "too_many_streams", stream.ErrDraining: "draining",
		stream.ErrUnreadable:    "store_unavailable",
		stream.ErrNotStreamable: "internal",
	} {
		b := start(t)
		b.hub.err = err
		require.Equal(t, code, b.Get(t, "/v1/sessions/"+sid+"/events").Problem(t).Code)
	}
}

func TestASessionIsLookedUpOnlyWhereItsLogIsNotFollowed(t *testing.T) {
	t.Parallel()
	const unknown = "/v1/sessions/ses_0000unknown/events"
	b := start(t)
	require.Equal(t, "not_found", b.Get(t, unknown).Problem(t).Code)
	b.hub.follows = true
	require.Equal(t, http.StatusOK, b.Get(t, unknown).Status)
}

func TestConfigNamesEverythingThatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := api.New(api.Config{})
	for _, name := range []string{"Service", "Auth", "Hub", "Ready", "Logger"} {
		require.ErrorContains(t, err, name+" is missing")
	}
}
