package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

func casetestPost(path, body string) casetest.Call {
	return casetest.Call{Method: http.MethodPost, Path: path, Body: json.RawMessage(body)}
}

// turnDoc is a turn as the tests of the whole program read it.
type turnDoc struct {
	ID         string  `json:"id"`
	Status     string  `json:"status"`
	StopReason *string `json:"stop_reason"`
	Text       string  `json:"text"`
	Reminder   string  `json:"reminder"`
}

// prompt opens a turn, as a person.
func (s *stand) prompt(t *testing.T, sid string) turnDoc {
	t.Helper()
	var turn turnDoc
	call := casetestPost("/v1/sessions/"+sid+"/turns", `{"input": [{"type": "text", "text": "Move the retry."}]}`)
	require.NoError(t, s.Person.Send(t.Context(), call, &turn))
	return turn
}

func (s *stand) turnAt(t *testing.T, path string) turnDoc {
	t.Helper()
	var turn turnDoc
	require.NoError(t, s.viewer.Send(t.Context(), casetest.Call{Method: http.MethodGet, Path: path}, &turn))
	return turn
}

// conforms holds every event to the contract.
func conforms(t *testing.T, events []casetest.Event) {
	t.Helper()
	contract := apitest.LoadContract(t)
	for _, e := range events {
		require.NoError(t, contract.CheckEvent(e.JSON))
	}
}

// TestATurnOutlivesTheProcess kills the gateway in the middle of a turn.
func TestATurnOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	made := m.session(t, askingSession)
	feed := m.follow(t, made.ID, casetest.Chain{})
	turn := m.prompt(t, made.ID)
	path := "/v1/sessions/" + made.ID + "/turns/" + turn.ID
	require.NoError(t, m.Host.Send(t.Context(), casetestPost(path+"/messages", `{"text": "I begin, "}`), nil))
	conforms(t, until(t, feed, "message.delta"))
	m.submit(t, made.ID, strings.Replace(readAndWrite, "{", `{"turn_id": "`+turn.ID+`", `, 1))
	m.kill()
	m.restart()
	require.NoError(t, m.Host.Send(t.Context(), casetestPost(path+"/messages", `{"text": "and go on."}`), nil))
	require.Equal(t, "I begin, and go on.", m.turnAt(t, path).Text)

	feed = m.follow(t, made.ID, feed.Place())
	require.NoError(t, m.Person.Send(t.Context(), casetestPost(path+"/cancel", `{}`), nil))
	events := until(t, feed, "turn.completed")
	conforms(t, events)
	var last []string
	for _, e := range events[len(events)-2:] {
		last = append(last, e.Type)
	}
	require.Equal(t, []string{"batch.completed", "turn.completed"}, last)
	require.Equal(t, "cancelled", *m.turnAt(t, path).StopReason)
	refused(t, m.Host.Send(t.Context(), casetestPost(path+"/complete", `{"stop_reason": "end_turn"}`), nil), http.StatusConflict, "turn_ended")
}

// TestTwoReplicasServeOneTurn: deltas through both, the cancel on the other one.
func TestTwoReplicasServeOneTurn(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + redistest.Start(t).URL()
	one, two := startStand(t, redis), startStand(t, redis)
	made := one.session(t, `{"tools": "@standard", "approval_mode": "plan"}`)
	feed := two.follow(t, made.ID, casetest.Chain{})
	turn := one.prompt(t, made.ID)
	require.Contains(t, turn.Reminder, "<system-reminder>")
	path := "/v1/sessions/" + made.ID + "/turns/" + turn.ID
	for i, s := range []*stand{one, two, one, two} {
		require.NoError(t, s.Host.Send(t.Context(), casetestPost(path+"/messages", `{"text": "`+string(rune('a'+i))+`"}`), nil))
	}
	require.Equal(t, "abcd", one.turnAt(t, path).Text)
	require.NoError(t, two.Host.Send(t.Context(), casetestPost(path+"/cancel", `{}`), nil))
	events := until(t, feed, "turn.completed")
	conforms(t, events)
	var said strings.Builder
	for _, e := range events {
		if e.Type == "message.delta" {
			var d struct{ Text string }
			require.NoError(t, json.Unmarshal(e.Data, &d))
			said.WriteString(d.Text)
		}
	}
	require.Equal(t, "abcd", said.String())
	refused(t, one.Host.Send(context.Background(), casetestPost(path+"/messages", `{"text": "x"}`), nil), http.StatusConflict, "turn_ended")
}
