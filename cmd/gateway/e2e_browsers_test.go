package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// open asks for an address as an EventSource does: without a key.
func open(t *testing.T, c *http.Client, address string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	res, err := c.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, res.Body.Close()) })
	return res
}

func TestATicketOpensAStreamOnceWithTheRightsOfItsMaker(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	sid := s.session(t, `{}`).ID
	browser := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(browser.CloseIdleConnections)
	for path, event := range map[string]string{"/v1/sessions/" + sid + "/stream-tickets": "session.created", "/v1/stream-tickets": "tenant.snapshot"} {
		var ticket struct{ Ticket, URL string }
		require.NoError(t, s.viewer.Send(t.Context(), casetest.Call{Method: "POST", Path: path}, &ticket))
		res := open(t, browser, s.base+ticket.URL)
		require.Equal(t, http.StatusOK, res.StatusCode)
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() && lines.Text() != "event: "+event {
			continue
		}
		require.Equal(t, "event: "+event, lines.Text())
		require.Equal(t, http.StatusUnauthorized, open(t, browser, s.base+ticket.URL).StatusCode, "it is used up")
	}
	foreign := s.foreign.Send(t.Context(), casetest.Call{Method: "POST", Path: "/v1/sessions/" + sid + "/stream-tickets"}, nil)
	refused(t, foreign, http.StatusNotFound, "not_found")
}

func TestABrowserSignsInReadsWritesAndSignsOut(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	sid := s.session(t, `{}`).ID
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Transport: &http.Transport{}, Jar: jar}
	t.Cleanup(browser.CloseIdleConnections)
	send := func(method, path, body string, header map[string]string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		for name, value := range header {
			req.Header.Set(name, value)
		}
		res, err := browser.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, res.Body.Close()) })
		return res
	}
	require.Equal(t, 401, send("GET", "/v1/sessions", "", nil).StatusCode)
	require.Equal(t, 201, send("POST", "/v1/console/session", "", map[string]string{"Authorization": "Bearer " + keyOf("alice")}).StatusCode)

	var who struct {
		Subject string
		CSRF    string `json:"csrf_token"`
	}
	decodeBody(t, send("GET", "/v1/console/session", "", nil), &who)
	require.Equal(t, "alice", who.Subject)
	mode := "/v1/sessions/" + sid + "/approval-mode"
	require.Equal(t, 403, send("PUT", mode, `{"mode":"plan"}`, nil).StatusCode)
	require.Equal(t, 200, send("PUT", mode, `{"mode":"plan"}`, map[string]string{"X-CSRF-Token": who.CSRF}).StatusCode)
	require.Equal(t, 200, send("GET", "/v1/sessions/"+sid+"/events?after=latest", "", nil).StatusCode, "streams need no ticket here")

	require.Equal(t, 204, send("DELETE", "/v1/console/session", "", map[string]string{"X-CSRF-Token": who.CSRF}).StatusCode)
	require.Equal(t, 401, send("GET", "/v1/sessions", "", nil).StatusCode)
}

func decodeBody(t *testing.T, res *http.Response, into any) {
	t.Helper()
	require.NoError(t, json.NewDecoder(res.Body).Decode(into))
}
