package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
)

// exchanged is one request of docs/rpc.md and its answer; an empty one is none.
type exchanged struct{ who, sent, answer string }

var exchangeLine = regexp.MustCompile(`(?m)^([a-z-]+) +-> (.*)\n +<- ?(.*)$`)

// rpcTranscript is the conversation in docs/rpc.md, with the names in it filled in.
func rpcTranscript(t *testing.T, names map[string]string) []exchanged {
	t.Helper()
	page, err := os.ReadFile("../../docs/rpc.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "```transcript\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	for name, value := range names {
		text = strings.ReplaceAll(text, `"$`+name+`"`, `"`+value+`"`)
	}
	var all []exchanged
	for _, m := range exchangeLine.FindAllStringSubmatch(text, -1) {
		all = append(all, exchanged{who: m[1], sent: m[2], answer: m[3]})
	}
	require.Len(t, all, strings.Count(text, " -> "))
	return all
}

func TestTheConversationInTheDocsHappensAsWritten(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	made := s.session(t, askingSession)
	var turn struct{ ID string }
	require.NoError(t, s.Person.Send(t.Context(), casetestPost("/v1/sessions/"+made.ID+"/turns", `{"input": [{"type": "text", "text": "go"}]}`), &turn))
	b := s.submit(t, made.ID, `{"calls": [
		{"id": "w1", "name": "write_file", "arguments": {"file_path": "a"}},
		{"id": "w2", "name": "write_file", "arguments": {"file_path": "b"}}]}`)
	names := map[string]string{"session": made.ID, "turn": turn.ID, "batch": b.ID, "w1": b.Calls[0].ApprovalID}
	for _, e := range rpcTranscript(t, names) {
		status, body := postRPC(t, s, e)
		if e.answer == "" {
			require.Equal(t, http.StatusNoContent, status, e.sent)
			continue
		}
		require.Equal(t, http.StatusOK, status, "%s: %s", e.sent, body)
		var want, got any
		require.NoError(t, json.Unmarshal([]byte(e.answer), &want), e.answer)
		require.NoError(t, json.Unmarshal(body, &got), "%s", body)
		requireWithin(t, want, got, e.sent+"\n"+string(body))
	}
}

// postRPC sends what may be no JSON.
func postRPC(t *testing.T, s *stand, e exchanged) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/v1/rpc", bytes.NewReader([]byte(e.sent)))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+keyOf(e.who))
	req.Header.Set("Content-Type", "application/json")
	res, err := s.transport.RoundTrip(req)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.NoError(t, apitest.LoadContract(t).CheckAnswer(req, res.StatusCode, res.Header, body))
	return res.StatusCode, body
}

// requireWithin wants everything of one value in another; "*" is anything.
func requireWithin(t *testing.T, want, got any, about string) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		require.True(t, ok, about)
		for name, value := range w {
			require.Contains(t, g, name, about)
			requireWithin(t, value, g[name], about)
		}
	case []any:
		g, _ := got.([]any)
		require.Len(t, g, len(w), about)
		for i := range w {
			requireWithin(t, w[i], g[i], about)
		}
	default:
		if want != "*" {
			assert.Equal(t, want, got, about)
		}
	}
}
