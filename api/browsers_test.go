package api_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/passes"
)

// fakePasses knows one ticket for the one session and one sign-in.
type fakePasses struct{ away bool }

var lender = tenants.Caller{Tenant: "dev", KeyID: "frontend", Subject: "frontend", Roles: []tenants.Role{tenants.RoleFrontend}}

func (f fakePasses) err(good bool) error {
	switch {
	case f.away:
		return passes.ErrUnavailable
	case !good:
		return passes.ErrUnknownPass
	}
	return nil
}

func (f fakePasses) NewTicket(context.Context, tenants.Caller, string) (passes.Ticket, error) {
	return passes.Ticket{Secret: "gwt_dev.good", ExpiresAt: at.Time}, f.err(true)
}

func (f fakePasses) OpenTicket(_ context.Context, secret, session string) (tenants.Caller, error) {
	return lender, f.err(secret == "gwt_dev.good" && session == sid)
}

func (f fakePasses) NewSignIn(context.Context, tenants.Caller) (passes.SignIn, error) {
	return passes.SignIn{Secret: "dev.p.cookie", CSRF: "the-token", ExpiresAt: at.Time}, f.err(true)
}

func (f fakePasses) Console(_ context.Context, secret string) (tenants.Caller, passes.SignIn, error) {
	return lender, passes.SignIn{Secret: secret, CSRF: "the-token", ExpiresAt: at.Time}, f.err(secret == "dev.p.cookie")
}

func (f fakePasses) SignOut(context.Context, string) error { return f.err(true) }

func TestACookieIsMadeForItsOwnPagesOnly(t *testing.T) {
	t.Parallel()
	for secure, want := range map[bool]string{
		true:  "__Host-gateway=dev.p.cookie; Path=/; Expires=Fri, 02 Jan 2026 03:04:05 GMT; HttpOnly; Secure; SameSite=Strict",
		false: "gateway_console=dev.p.cookie; Path=/; Expires=Fri, 02 Jan 2026 03:04:05 GMT; HttpOnly; SameSite=Strict",
	} {
		b := start(t, func(c *api.Config) { c.SecureCookies = secure })
		a := b.As("frontend").Post(t, "/v1/console/session", nil)
		require.Equal(t, http.StatusCreated, a.Status)
		assert.Equal(t, want, a.Header.Get("Set-Cookie"))
		assert.Contains(t, string(a.Body), `"csrf_token":"the-token"`)
		assert.NotContains(t, string(a.Body), "cookie")

		gone := b.As("frontend").Do(t, apitest.Call{Method: "DELETE", Path: "/v1/console/session"})
		require.Equal(t, http.StatusNoContent, gone.Status)
		assert.Contains(t, gone.Header.Get("Set-Cookie"), "Max-Age=0")
	}
}

// TestWhatACookieMayDo has a line for each way to send one.
func TestWhatACookieMayDo(t *testing.T) {
	t.Parallel()
	b := start(t)
	rules := apitest.GoodBody("putRules")
	const put = "/v1/sessions/" + sid + "/rules"
	for name, c := range map[string]struct {
		call   apitest.Call
		status int
		code   string
	}{
		"a read":                            {apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid}, 200, ""},
		"says who it is":                    {apitest.Call{Method: "GET", Path: "/v1/console/session"}, 200, ""},
		"a write without the token":         {apitest.Call{Method: "PUT", Path: put, Body: rules}, 403, "csrf_refused"},
		"a write with another token":        {apitest.Call{Method: "PUT", Path: put, Body: rules, Header: map[string]string{"X-CSRF-Token": "the-toke"}}, 403, "csrf_refused"},
		"a write with the token":            {apitest.Call{Method: "PUT", Path: put, Body: rules, Header: map[string]string{"X-CSRF-Token": "the-token"}}, 200, ""},
		"a write of another page":           {apitest.Call{Method: "PUT", Path: put, Body: rules, Header: map[string]string{"X-CSRF-Token": "the-token", "Origin": "https://evil.example"}}, 403, "origin_refused"},
		"a write of another page of a site": {apitest.Call{Method: "PUT", Path: put, Body: rules, Header: map[string]string{"X-CSRF-Token": "the-token", "Sec-Fetch-Site": "same-site"}}, 403, "origin_refused"},
		"signs out without the token":       {apitest.Call{Method: "DELETE", Path: "/v1/console/session"}, 403, "csrf_refused"},
		"signs in again":                    {apitest.Call{Method: "POST", Path: "/v1/console/session", Header: map[string]string{"X-CSRF-Token": "the-token"}}, 401, "unauthenticated"},
		"more than its key may":             {apitest.Call{Method: "POST", Path: "/v1/sessions/" + sid + "/batches", Body: apitest.GoodBody("submitBatch"), Header: map[string]string{"X-CSRF-Token": "the-token"}}, 403, "forbidden"},
		"beside a wrong key":                {apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Header: map[string]string{"Authorization": "Bearer nobody"}}, 401, "unauthenticated"},
		"beside another scheme":             {apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Header: map[string]string{"Authorization": "Basic eDp5"}}, 401, "unauthenticated"},
		"a cookie that is nobody's":         {apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Header: map[string]string{"Cookie": "gateway_console=x"}}, 401, "unauthenticated"},
		"a cookie by its secure name":       {apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid, Header: map[string]string{"Cookie": "__Host-gateway=dev.p.cookie"}}, 401, "unauthenticated"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.call.Header == nil {
				c.call.Header = map[string]string{}
			}
			if c.call.Header["Cookie"] == "" {
				c.call.Header["Cookie"] = "gateway_console=dev.p.cookie"
			}
			before := b.service.count()
			a := b.As("").Do(t, c.call)
			require.Equal(t, c.status, a.Status, "%s", a.Body)
			if c.code != "" {
				require.Equal(t, c.code, a.Problem(t).Code)
				require.Equal(t, before, b.service.count())
			}
		})
	}
}

func TestATicketOpensItsStreamAndNothingElse(t *testing.T) {
	t.Parallel()
	b := start(t)
	for path, status := range map[string]int{
		"/v1/sessions/" + sid + "/events?ticket=gwt_dev.good":  200,
		"/v1/sessions/" + sid + "/events?ticket=gwt_dev.other": 401,
		"/v1/sessions/" + sid + "/events?ticket=":              401,
		"/v1/events?ticket=gwt_dev.good":                       401,
		"/v1/sessions/" + sid + "?ticket=gwt_dev.good":         401,
		"/v1/sessions?ticket=gwt_dev.good":                     401,
	} {
		require.Equal(t, status, b.As("").Get(t, path).Status, path)
	}
	a := b.As("viewer").Post(t, "/v1/sessions/"+sid+"/stream-tickets", nil)
	require.Equal(t, 201, a.Status)
	assert.Contains(t, string(a.Body), `"url":"/v1/sessions/`+sid+`/events?ticket=gwt_dev.good"`)
	require.Equal(t, 404, b.Post(t, "/v1/sessions/ses_other/stream-tickets", nil).Status)
	require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))
}

func TestAStoreThatIsAwayIsNotAWrongPass(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Passes = fakePasses{away: true} })
	for _, call := range []apitest.Call{
		{Method: "POST", Path: "/v1/stream-tickets"},
		{Method: "POST", Path: "/v1/console/session"},
		{Method: "GET", Path: "/v1/sessions", Header: map[string]string{"Cookie": "gateway_console=dev.p.cookie", "Authorization": ""}},
		{Method: "GET", Path: "/v1/events?ticket=gwt_dev.x", Header: map[string]string{"Authorization": ""}},
	} {
		require.Equal(t, "store_unavailable", b.Do(t, call).Problem(t).Code, call.Path)
	}
}

func TestQueryStringsStayOutOfTheLog(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, path := range []string{
		"/v1/sessions/" + sid + "/events?ticket=gwt_dev.planted", "/v1/sessions?key=planted", "/nowhere?key=planted",
	} {
		a := b.As("").Get(t, path)
		require.GreaterOrEqual(t, a.Status, 400)
		assert.NotContains(t, string(a.Body), "planted")
	}
	assert.NotContains(t, b.log.String(), "planted")
}

func TestOnlyListedOriginsMayCallAndNeverWithCookies(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Origins = []string{"https://app.example"} })
	ask := func(method, origin string, header map[string]string) *http.Response {
		h := map[string]string{"Origin": origin}
		maps.Copy(h, header)
		return request(t, b, method, "/v1/sessions/"+sid, h)
	}
	preflight := map[string]string{"Access-Control-Request-Method": "DELETE", "Access-Control-Request-Headers": "authorization"}
	ours := ask("OPTIONS", "https://app.example", preflight)
	require.Equal(t, "https://app.example", ours.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, ours.Header.Get("Access-Control-Allow-Credentials"))
	require.Equal(t, 200, ask("GET", "https://app.example", nil).StatusCode)
	require.Equal(t, 204, ask("DELETE", "https://app.example", nil).StatusCode)
	for _, origin := range []string{"https://app.example.evil", "http://app.example", "https://app.example:444", "null"} {
		require.Empty(t, ask("OPTIONS", origin, preflight).Header.Get("Access-Control-Allow-Origin"), origin)
		require.Equal(t, 403, ask("DELETE", origin, nil).StatusCode, origin)
	}

	none := start(t)
	require.Empty(t, request(t, none, "OPTIONS", "/v1/sessions", map[string]string{
		"Origin": "https://app.example", "Access-Control-Request-Method": "GET",
	}).Header.Get("Access-Control-Allow-Origin"), "nobody unless listed")
}

func TestOriginsAreListedExactly(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"*", "https://*", "https://*.example", "https://a.example/", "a.example", "https://A.example", "https://u@a.example", "file:///x", "null", ""} {
		require.ErrorIs(t, api.CheckOrigin(origin), api.ErrOrigin, origin)
	}
	require.NoError(t, api.CheckOrigin("http://localhost:5173"))
}

func TestAListenerWithNamesAnswersToNoOthers(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Loopback, c.Hosts = false, []string{"Gateway.example"} })
	for host, status := range map[string]int{
		"gateway.example": 200, "gateway.example:8443": 200, "GATEWAY.example.": 200, "10.0.0.7:8080": 200, "[fd00::1]": 200, "localhost": 200,
		"evil.example": 403, "gateway.example.evil": 403, strings.Repeat("a", 300): 403,
	} {
		require.Equal(t, status, b.Do(t, apitest.Call{Method: "GET", Path: "/healthz", Host: host}).Status, host)
	}
}
