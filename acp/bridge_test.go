package acp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
)

func TestAnEditorSeesAPlanModeTurnFromPromptToEnd(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.serve(
		model.Step{Text: "I plan first. ", Calls: []model.StepCall{
			call("w1", "write_file", args{"file_path": "greet.txt", "content": "hi\n"}),
			call("e1", "enter_plan_mode", nil),
			call("w2", "write_file", args{"file_path": "b.txt", "content": "b"}),
		}},
		calls(call("r1", "read_file", args{"file_path": "greet.txt"}), call("g1", "grep_search", args{"pattern": "hel+o"})),
		calls(call("w3", "write_file", args{"file_path": "greet.txt", "content": "hi\n"})),
		calls(call("x1", "exit_plan_mode", args{"plan": "1. Say more.\n\n2. Look."})),
		calls(call("d1", "edit", args{"file_path": "greet.txt", "old_string": "hello", "new_string": "hello, world"})),
		say("It says more now."),
	)
	e := s.edit(acp.Config{Session: s.session}, choosing("restore_previous"))
	reason, err := e.say(t.Context(), e.begin(), "Say more.")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonEndTurn, reason)

	for id, want := range map[string]sdk.ToolCallStatus{
		"w1": "failed", "e1": "completed", "w2": "failed", "r1": "completed", "g1": "completed", "w3": "failed", "x1": "completed", "d1": "completed",
	} {
		require.Equal(t, want, e.call(id).status, id)
	}
	require.Equal(t, "plan_boundary", e.call("w1").why)
	require.Equal(t, "plan_boundary", e.call("w2").why)
	require.Equal(t, "plan_mode_denied", e.call("w3").why)
	require.Equal(t, sdk.ToolKindSwitchMode, e.call("e1").kind)
	require.Equal(t, sdk.ToolKindEdit, e.call("d1").kind)
	require.Equal(t, sdk.ToolKindSearch, e.call("g1").kind)
	e.agrees(s.person, s.session)

	asks := e.asked()
	require.Len(t, asks, 1)
	var options []sdk.PermissionOptionId
	for _, o := range asks[0].Options {
		options = append(options, o.OptionId)
	}
	require.Equal(t, []sdk.PermissionOptionId{"restore_previous", "auto_edit", "default", "reject"}, options)
	require.Equal(t, "1. Say more.\n\n2. Look.", asks[0].ToolCall.Content[0].Content.Content.Text.Text)
	require.Equal(t, []string{"1. Say more.", "2. Look."}, e.v.plan)
	require.Equal(t, client.ModeDefault, e.v.mode)
	text, err := os.ReadFile(filepath.Join(s.work.Dir(), "greet.txt"))
	require.NoError(t, err)
	require.Equal(t, "hello, world\n", string(text))
}

func TestACancelledPromptEndsWithEverythingThatItBegan(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	s.serve(calls(
		call("c1", "run_shell_command", args{"command": "true"}),
		call("c2", "run_shell_command", args{"command": "false"}),
	), say("And again."))
	asked := make(chan struct{}, 2)
	e := s.edit(acp.Config{Session: s.session}, func(ctx context.Context, r sdk.RequestPermissionRequest) (string, error) {
		asked <- struct{}{}
		return nobody(ctx, r)
	})
	sid := e.begin()
	go func() {
		<-asked
		<-asked
		_ = e.Cancel(s.Context(), sdk.CancelNotification{SessionId: sid}) // the prompt's answer shows whether it came
	}()
	reason, err := e.say(t.Context(), sid, "Run them.")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonCancelled, reason)
	require.Equal(t, "aborted", e.call("c1").why)
	require.Equal(t, "aborted", e.call("c2").why)
	for a, err := range s.person.Approvals(t.Context(), client.ListApprovalsParams{SessionID: &s.session}) {
		require.NoError(t, err)
		require.Equal(t, client.ApprovalStatusCancelled, a.Status)
	}

	reason, err = e.say(t.Context(), sid, "Go on.")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonEndTurn, reason)
	e.agrees(s.person, s.session)
}

func TestAnAnswerGivenElsewhereTakesTheQuestionBack(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	s.serve(calls(call("c1", "run_shell_command", args{"command": "true"})), say("Done."))
	withdrawn := make(chan struct{})
	e := s.edit(acp.Config{Session: s.session}, func(ctx context.Context, r sdk.RequestPermissionRequest) (string, error) {
		if err := s.answerAll("allow_once"); err != nil {
			return "", err
		}
		<-ctx.Done()
		close(withdrawn)
		return "reject", nil // too late
	})
	reason, err := e.say(t.Context(), e.begin(), "Run it.")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonEndTurn, reason)
	<-withdrawn
	require.Equal(t, sdk.ToolCallStatusCompleted, e.call("c1").status)
}

func TestAModeIsChangedFromTheEditorAndFromElsewhere(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	e := s.edit(acp.Config{Session: s.session}, nobody)
	made, err := e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: "/", McpServers: []sdk.McpServer{}})
	require.NoError(t, err)
	require.EqualValues(t, "default", made.Modes.CurrentModeId)
	require.Len(t, made.Modes.AvailableModes, 4)

	became := func(mode sdk.SessionModeId) func(sdk.SessionUpdate) bool {
		return func(u sdk.SessionUpdate) bool {
			return u.CurrentModeUpdate != nil && u.CurrentModeUpdate.CurrentModeId == mode
		}
	}
	_, err = e.SetSessionMode(t.Context(), sdk.SetSessionModeRequest{SessionId: made.SessionId, ModeId: "plan"})
	require.NoError(t, err)
	e.until(became("plan"))
	_, err = s.person.SetMode(t.Context(), s.session, client.ModeYolo)
	require.NoError(t, err)
	e.until(became("yolo"))
	_, err = e.SetSessionMode(t.Context(), sdk.SetSessionModeRequest{SessionId: made.SessionId, ModeId: "sideways"})
	require.ErrorContains(t, err, "change the mode")
}

func TestALoadedSessionShowsItsHistoryAndGoesOn(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.serve(
		model.Step{Text: "I look. ", Calls: []model.StepCall{call("r1", "read_file", args{"file_path": "greet.txt"}), call("n1", "nobody_knows", nil)}},
		say("It says hello."), say("Still."),
	)
	first := s.edit(acp.Config{Session: s.session}, nobody)
	_, err := first.say(t.Context(), first.begin(), "Look.")
	require.NoError(t, err)

	e := s.edit(acp.Config{}, nobody)
	loaded, err := e.LoadSession(t.Context(), sdk.LoadSessionRequest{SessionId: sdk.SessionId(s.session), Cwd: "/", McpServers: []sdk.McpServer{}})
	require.NoError(t, err)
	require.EqualValues(t, "default", loaded.Modes.CurrentModeId)
	e.agrees(s.person, s.session) // when the answer is there, so is the history
	require.Equal(t, "Look.", e.updates[0].UserMessageChunk.Content.Text.Text)
	require.Equal(t, "tool_not_registered", e.call("n1").why)

	reason, err := e.say(t.Context(), sdk.SessionId(s.session), "And now?")
	require.NoError(t, err)
	require.Equal(t, sdk.StopReasonEndTurn, reason)
	e.agrees(s.person, s.session)
}

func TestAPromptWithoutAHostFailsAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	e := s.edit(acp.Config{HostWait: 100 * time.Millisecond}, nobody)
	sid := e.begin()
	require.NotEqual(t, s.session, string(sid), "without --session one is made")
	_, err := e.say(t.Context(), sid, "Hello?")
	require.ErrorContains(t, err, "gateway host --session "+string(sid))
	for turn, err := range s.person.Turns(t.Context(), string(sid)) {
		require.NoError(t, err)
		t.Fatalf("%s was begun, and nobody serves it", turn.ID)
	}
}

func TestAHostThatLeavesForGoodEndsThePrompt(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	stop := s.serve(calls(call("c1", "run_shell_command", args{"command": "true"})))
	e := s.edit(acp.Config{Session: s.session, HostWait: 200 * time.Millisecond}, func(ctx context.Context, r sdk.RequestPermissionRequest) (string, error) {
		stop()
		return nobody(ctx, r)
	})
	_, err := e.say(t.Context(), e.begin(), "Run it.")
	require.ErrorContains(t, err, "no host serves the session any more")
	require.Equal(t, "aborted", e.call("c1").why)
}

func TestWhatIsNotThereIsRefusedClearly(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	e := s.edit(acp.Config{}, nobody)
	_, err := e.LoadSession(t.Context(), sdk.LoadSessionRequest{SessionId: "ses_none", Cwd: "/", McpServers: []sdk.McpServer{}})
	require.ErrorContains(t, err, "not_found")
	_, err = e.say(t.Context(), "ses_none", "Hello?")
	require.ErrorContains(t, err, "session/new or session/load comes first")

	stranger, err := client.New(s.base, "no-key-of-anybody")
	require.NoError(t, err)
	e = s.edit(acp.Config{Client: stranger}, nobody)
	_, err = e.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: "/", McpServers: []sdk.McpServer{}})
	require.ErrorContains(t, err, "unauthenticated")
}
