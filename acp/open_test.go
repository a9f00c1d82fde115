package acp_test

import (
	"context"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

func TestASessionThatIsResumedShowsWhatIsOpenAndNothingBefore(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	s.serve(
		calls(call("r1", "read_file", args{"file_path": "greet.txt"})), say("One."),
		calls(call("c1", "run_shell_command", args{"command": "true"})), say("Two."),
	)
	asked := make(chan struct{})
	first := s.edit(acp.Config{Session: s.session}, func(ctx context.Context, r sdk.RequestPermissionRequest) (string, error) {
		close(asked)
		return nobody(ctx, r)
	})
	sid := first.begin()
	_, err := first.say(t.Context(), sid, "Look.")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := first.say(s.Context(), sid, "Run it.")
		ended <- err
	}()
	<-asked

	e := s.edit(acp.Config{}, choosing("allow_once"))
	_, err = e.ResumeSession(t.Context(), sdk.ResumeSessionRequest{SessionId: sid, Cwd: "/"})
	require.NoError(t, err)
	require.NoError(t, <-ended)
	e.until(func(u sdk.SessionUpdate) bool {
		return u.AgentMessageChunk != nil && u.AgentMessageChunk.Content.Text.Text == "Two."
	})
	require.Equal(t, sdk.ToolCallStatusCompleted, e.call("c1").status)
	require.Len(t, e.v.calls, 1)
	first.agrees(s.person, s.session)

	_, err = e.CloseSession(t.Context(), sdk.CloseSessionRequest{SessionId: sid})
	require.NoError(t, err)
	_, err = e.say(t.Context(), sid, "Still there?")
	require.ErrorContains(t, err, "is not open here")
}

func TestASecondPromptEndsTheFirstAndFollowsIt(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	s.serve(calls(call("c1", "run_shell_command", args{"command": "true"})), say("The second."))
	asked := make(chan struct{})
	e := s.edit(acp.Config{Session: s.session}, func(ctx context.Context, r sdk.RequestPermissionRequest) (string, error) {
		close(asked)
		return nobody(ctx, r)
	})
	sid := e.begin()
	ended := make(chan sdk.StopReason, 1)
	go func() {
		reason, err := e.say(s.Context(), sid, "The first.")
		if err != nil {
			t.Error(err)
		}
		ended <- reason
	}()
	<-asked
	reason, err := e.say(t.Context(), sid, "No, the second.")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonEndTurn, reason)
	require.Equal(t, sdk.StopReasonCancelled, <-ended)
	e.agrees(s.person, s.session)
}
