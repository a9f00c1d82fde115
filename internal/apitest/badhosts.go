package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// attach makes a host the session's and gives its fence.
func (s *scene) attach(host string) int64 {
	s.t.Helper()
	a := s.Post(s.t, s.path+"/hosts", `{"host_id": "`+host+`"}`)
	require.Equal(s.t, http.StatusCreated, a.Status, "%s", a.Body)
	var h struct{ Fence int64 }
	a.JSON(s.t, &h)
	return h.Fence
}

// fencedHosts: while a host is attached, nobody else's word counts.
func fencedHosts(t *testing.T, c *Client) {
	s := newScene(t, c)
	s.refused("host_fenced", s.post("/hosts/a/heartbeat", `{"fence": 1}`))
	require.EqualValues(t, 1, s.attach("a"))
	path, _ := s.batch("read_file")
	require.Equal(t, 200, c.Do(t, s.post(path+"/claims", `{"host_id": "a", "fence": 1, "positions": [0]}`)).Status)
	s.refused("host_fenced", s.post(path+"/claims", `{"host_id": "b", "positions": [0]}`))
	s.refused("host_fenced", s.post(path+"/results", `{"results": [{"position": 0, "status": "success", "output": ""}]}`))
	require.EqualValues(t, 2, s.attach("a"))
	for _, call := range []Call{
		s.post(path+"/claims", `{"host_id": "a", "fence": 1, "positions": [0]}`),
		s.post(path+"/results", `{"host_id": "a", "fence": 1, "results": [{"position": 0, "status": "success", "output": ""}]}`),
		s.post(path+"/progress", `{"host_id": "a", "fence": 1, "position": 0, "text": "x"}`),
		s.post("/hosts/a/heartbeat", `{"fence": 1}`),
		s.post("/hosts/b/heartbeat", `{"fence": 2}`),
		{Method: http.MethodDelete, Path: s.path + "/hosts/a?fence=1"},
		{Method: http.MethodDelete, Path: s.path + "/hosts/b?fence=2"},
		{Method: http.MethodGet, Path: s.path + "/events?host_id=a&fence=1"},
	} {
		s.refused("host_fenced", call)
	}
	a := c.Do(t, s.post(path+"/claims", `{"host_id": "b", "positions": [0]}`))
	assert.Contains(t, string(a.Body), `"attached_host_id":"a"`)
	batch := c.Get(t, s.path+path)
	assert.Contains(t, string(batch.Body), `"reason":"host_lost"`, "what was claimed under the fence before")
	s.refused("host_fenced", s.post("/batches", `{"host_id": "b", "calls": [{"name": "read_file"}]}`))
	require.Equal(t, 204, c.Do(t, Call{Method: http.MethodDelete, Path: s.path + "/hosts/a?fence=2"}).Status)
	s.refused("host_fenced", Call{Method: http.MethodDelete, Path: s.path + "/hosts/a?fence=2"})
}

func unclaimedProgress(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("write_file")
	word := s.post(path+"/progress", `{"host_id": "a", "position": 0, "text": "x"}`)
	s.refused("call_not_dispatched", word)
	require.Equal(t, 200, c.Do(t, s.post(path+"/abort", "")).Status)
	s.refused("call_late", word)
	path, _ = s.batch("read_file")
	word = s.post(path+"/progress", `{"host_id": "a", "call_id": "c1", "extend_s": 5}`)
	s.refused("call_not_claimed", word)
	require.Equal(t, 200, c.Do(t, s.post(path+"/claims", `{"host_id": "b", "positions": [0]}`)).Status)
	s.refused("call_held", word)
	p := s.refused("invalid_request", s.post(path+"/progress", `{"host_id": "b", "position": 9, "text": "x"}`))
	assert.Equal(t, []string{"/position"}, p.Fields())
}

func longDocuments(t *testing.T, c *Client) {
	s := newScene(t, c)
	long := func(n int) string { return `{"x": "` + strings.Repeat("x", n) + `"}` }
	for field, call := range map[string]Call{
		"/capabilities":         s.post("/hosts", `{"host_id": "h", "capabilities": `+long(8<<10)+`}`),
		"/runtime_view":         s.post("/batches", `{"runtime_view": `+long(64<<10)+`, "calls": [{"name": "a"}]}`),
		"/calls/1/runtime_view": s.post("/batches", `{"calls": [{"name": "a"}, {"name": "a", "runtime_view": `+long(64<<10)+`}]}`),
	} {
		assert.Equal(t, []string{field}, s.refused("invalid_request", call).Fields())
	}
	word := strings.Repeat("€", 4<<10) // so many characters are allowed, so many bytes are not
	path, _ := s.batch("read_file")
	require.Equal(t, 200, c.Do(t, s.post(path+"/claims", `{"host_id": "a", "positions": [0]}`)).Status)
	p := s.refused("invalid_request", s.post(path+"/progress", `{"host_id": "a", "position": 0, "text": "`+word+`"}`))
	assert.Equal(t, []string{"/text"}, p.Fields())
}
