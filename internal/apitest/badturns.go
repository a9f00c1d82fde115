package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// turn opens a turn and answers its path and id.
func (s *scene) turn() (path, id string) {
	s.t.Helper()
	a := s.Post(s.t, s.path+"/turns", GoodBody("startTurn"))
	require.Equal(s.t, http.StatusCreated, a.Status, "%s", a.Body)
	var turn struct{ ID string }
	a.JSON(s.t, &turn)
	return "/turns/" + turn.ID, turn.ID
}

func badTurns(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.turn()
	s.refused("turn_in_progress", s.post("/turns", `{"input": [{}]}`))
	s.refused("turn_mismatch", s.post("/batches", `{"turn_id": "mine", "calls": [{"name": "read_file"}]}`))
	batch, _ := s.batch("read_file")
	s.refused("batch_in_progress", s.post(path+"/complete", `{"stop_reason": "end_turn"}`))
	require.Equal(t, 200, c.Do(t, s.post(batch+"/abort", "")).Status)
	require.Equal(t, 200, c.Do(t, s.post(path+"/complete", `{"stop_reason": "end_turn"}`)).Status)
	require.Equal(t, 200, c.Do(t, s.post(path+"/complete", `{"stop_reason": "end_turn"}`)).Status, "the same again is accepted")
	s.refused("turn_ended", s.post(path+"/complete", `{"stop_reason": "error"}`))
	s.refused("turn_ended", s.post(path+"/messages", `{"text": "late"}`))
	s.refused("not_found", s.post("/turns/trn_none/messages", `{"text": "x"}`))
	s.refused("too_large", s.post("/turns", map[string]any{"input": []any{map[string]string{"text": string(make([]byte, 256<<10))}}}))
}

func openCheck(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("read_file")
	check := func(batch string) Call {
		return s.post("/model-requests", map[string]any{"format": "native", "batch_id": batch, "messages": []any{}})
	}
	s.refused("batch_incomplete", check(path[len("/batches/"):]))
	s.refused("not_found", check("bat_none"))
}
