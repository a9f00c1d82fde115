package acp_test

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
)

func TestAStreamThatIsCutInTheMiddleShowsNothingTwice(t *testing.T) {
	t.Parallel()
	for name, diverges := range map[string]bool{"the cursor holds": false, "the gateway has another history": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enact(t, client.SessionSpec{})
			s.serve(
				model.Step{Text: "First. ", Calls: []model.StepCall{call("c1", "run_shell_command", args{"command": "echo one"}), call("r1", "read_file", args{"file_path": "greet.txt"})}},
				model.Step{Text: "Second. ", Calls: []model.StepCall{call("c2", "run_shell_command", args{"command": "echo two"})}},
				say("Third."),
			)
			w := s.splice()
			w.diverges = diverges
			e := s.edit(acp.Config{Session: s.session, Client: connect(t, w.URL)}, func(context.Context, sdk.RequestPermissionRequest) (string, error) {
				w.cut()
				return "allow_once", nil
			})
			reason, err := e.say(t.Context(), e.begin(), "Run them.")
			require.NoError(t, err)
			require.Equal(t, sdk.StopReasonEndTurn, reason)
			require.Len(t, e.asked(), 2)
			require.Equal(t, sdk.ToolCallStatusCompleted, e.call("c2").status)
			e.agrees(s.person, s.session)
		})
	}
}

func TestWhatHappensWhileNobodyListensIsToldAfterwards(t *testing.T) {
	t.Parallel()
	for name, diverges := range map[string]bool{"the cursor holds": false, "the gateway has another history": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enact(t, allowing())
			s.serve(
				calls(call("r0", "read_file", args{"file_path": "greet.txt"})), say("One."),
				model.Step{Text: "Two. ", Calls: []model.StepCall{call("r1", "read_file", args{"file_path": "greet.txt"}), call("n1", "nobody_knows", nil)}},
				calls(call("r2", "read_file", args{"file_path": "greet.txt"})), say("Three."),
			)
			w := s.splice()
			w.diverges = diverges
			e := s.edit(acp.Config{Session: s.session, Client: connect(t, w.URL)}, nobody)
			_, err := e.say(t.Context(), e.begin(), "Look.")
			require.NoError(t, err)
			release := w.keep()
			turn, err := s.person.StartTurn(t.Context(), s.session, client.Text("Look again."))
			require.NoError(t, err)
			s.finished(turn.ID)
			release()
			e.until(func(u sdk.SessionUpdate) bool {
				return u.AgentMessageChunk != nil && strings.HasSuffix(u.AgentMessageChunk.Content.Text.Text, "Three.")
			})
			require.Equal(t, sdk.ToolCallStatusFailed, e.call("n1").status)
			e.agrees(s.person, s.session)
		})
	}
}

func TestWhoAnswersSecondIsToldWhoWon(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	s.serve(calls(call("c1", "run_shell_command", args{"command": "true"})), say("Done."))
	w := s.splice()
	answered := make(chan func(), 1)
	e := s.edit(acp.Config{Session: s.session, Client: connect(t, w.URL)}, func(context.Context, sdk.RequestPermissionRequest) (string, error) {
		answered <- w.keep()
		return "reject", s.answerAll("allow_once")
	})
	sid := e.begin()
	ended := make(chan error, 1)
	go func() {
		_, err := e.say(s.Context(), sid, "Run it.")
		ended <- err
	}()
	release := <-answered
	e.until(func(u sdk.SessionUpdate) bool {
		return u.AgentThoughtChunk != nil && strings.Contains(u.AgentThoughtChunk.Content.Text.Text, "had answered before (approved)")
	})
	release()
	require.NoError(t, <-ended)
	require.Equal(t, sdk.ToolCallStatusCompleted, e.call("c1").status)
}
