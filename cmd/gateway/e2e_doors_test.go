package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// TestDoorsHold has a line for each way in that must be shut. Nothing changes
// behind a shut door.
func TestDoorsHold(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	p := newPlanning(t, s, nil)
	p.send(write)
	asked := p.pending(t, p.sid)
	before, err := s.Host.Session(t.Context(), p.sid)
	require.NoError(t, err)

	base, answer := "/v1/sessions/"+p.sid, "/v1/approvals/"+asked.ID+"/respond"
	allow := object{"option_id": "allow_once"}
	for name, door := range map[string]struct {
		who    *casetest.Client
		call   casetest.Call
		status int
		code   string
	}{
		"a page of another origin posts to loopback": {
			s.Person,
			casetest.Call{Method: "POST", Path: answer, Body: allow, Header: map[string]string{"Origin": "https://evil.example"}},
			http.StatusForbidden, "origin_refused",
		},
		"a browser says that the post is cross-site": {
			s.Person,
			casetest.Call{Method: "POST", Path: answer, Body: allow, Header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
			http.StatusForbidden, "origin_refused",
		},
		"another origin changes the mode": {
			s.Person,
			casetest.Call{Method: "PUT", Path: base + "/approval-mode", Body: object{"mode": "yolo"}, Header: map[string]string{"Origin": "null"}},
			http.StatusForbidden, "origin_refused",
		},
		"Host: evil.example resolving to loopback": {
			s.Person, casetest.Call{Method: "GET", Path: base, Host: "evil.example"}, http.StatusForbidden, "host_refused",
		},
		"Host: evil.example with our port": {
			s.Person, casetest.Call{Method: "GET", Path: base, Host: "evil.example:8080"}, http.StatusForbidden, "host_refused",
		},
		"Host: a name that starts like loopback": {
			s.Person, casetest.Call{Method: "GET", Path: base, Host: "127.0.0.1.evil.example"}, http.StatusForbidden, "host_refused",
		},
		"a key in a query string instead of the header": {
			s.outsider, casetest.Call{Method: "GET", Path: base + "?key=" + keyOf("alice")}, http.StatusUnauthorized, "unauthenticated",
		},
		"a key in a query string of the stream": {
			s.outsider, casetest.Call{Method: "GET", Path: base + "/events?access_token=" + keyOf("alice")}, http.StatusUnauthorized, "unauthenticated",
		},
		"a key in a query string beside the header": {
			s.Person, casetest.Call{Method: "GET", Path: base + "?access_token=" + keyOf("alice")}, http.StatusBadRequest, "invalid_query",
		},
		"no key":            {s.outsider, casetest.Call{Method: "GET", Path: base}, http.StatusUnauthorized, "unauthenticated"},
		"an unknown key":    {s.Host.As("guess"), casetest.Call{Method: "GET", Path: base}, http.StatusUnauthorized, "unauthenticated"},
		"a foreign session": {s.foreign, casetest.Call{Method: "GET", Path: base}, http.StatusNotFound, "not_found"},
		"a foreign stream":  {s.foreign, casetest.Call{Method: "GET", Path: base + "/events"}, http.StatusNotFound, "not_found"},
		"a host key answers an approval": {
			s.Host, casetest.Call{Method: "POST", Path: answer, Body: allow}, http.StatusForbidden, "forbidden",
		},
		"a host key changes the mode": {
			s.Host, casetest.Call{Method: "PUT", Path: base + "/approval-mode", Body: object{"mode": "yolo"}}, http.StatusForbidden, "forbidden",
		},
		"a host key edits rules": {
			s.Host, casetest.Call{Method: "PUT", Path: base + "/rules", Body: object{"allow": []string{"*"}}}, http.StatusForbidden, "forbidden",
		},
		"a host key revokes grants": {
			s.Host, casetest.Call{Method: "DELETE", Path: base + "/grants"}, http.StatusForbidden, "forbidden",
		},
		"a viewer answers an approval": {
			s.viewer, casetest.Call{Method: "POST", Path: answer, Body: allow}, http.StatusForbidden, "forbidden",
		},
		"a viewer sends a batch": {
			s.viewer, casetest.Call{Method: "POST", Path: base + "/batches", Body: object{"calls": []object{{"name": "read_file"}}}}, http.StatusForbidden, "forbidden",
		},
		"a frontend reports results": {
			s.Person,
			casetest.Call{Method: "POST", Path: base + "/batches/bat_1/results", Body: object{"results": []object{{"position": 0, "status": "success", "output": "x"}}}},
			http.StatusForbidden, "forbidden",
		},
		"a rule list with a mistyped name": {
			s.Person, casetest.Call{Method: "PUT", Path: base + "/rules", Body: object{"denny": []string{}}}, http.StatusUnprocessableEntity, "invalid_request",
		},
		"a rule that does not parse": {
			s.Person, casetest.Call{Method: "PUT", Path: base + "/rules", Body: object{"deny": []string{"bash("}}}, http.StatusUnprocessableEntity, "invalid_request",
		},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, door.who.Send(t.Context(), door.call, nil), door.status, door.code)
			after, err := s.Host.Session(t.Context(), p.sid)
			require.NoError(t, err)
			require.Equal(t, before, after, "nothing changed")
		})
	}
}

// A host could loosen its own session only when it makes it; it can't make a
// child that is looser than its parent.
func TestAHostCannotLoosenASession(t *testing.T) {
	t.Parallel()
	p := newPlanning(t, startStand(t), object{"rules": object{"deny": []string{"write(*)"}}})
	child := newPlanning(t, p.stand, object{
		"parent_session_id": p.sid, "approval_mode": "yolo", "rules": object{"allow": []string{"*"}},
	})
	child.ended(child.send(write), 0, "permission_denied")
}
