package acp_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/host/workspace"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// patience is how long a test waits for what has to happen.
const patience = 30 * time.Second

// scene is a gateway, a workspace, a session in it, and a person who can answer
// on another way than the editor.
type scene struct {
	*testing.T
	base    string
	person  *client.Client
	work    *workspace.Workspace
	session string
}

func connect(t *testing.T, base string) *client.Client {
	t.Helper()
	c, err := client.New(base, gatewaytest.Key, client.WithHTTPClient(gatewaytest.HTTPClient(t)))
	require.NoError(t, err)
	return c
}

// enact starts a scene with a file in the workspace.
func enact(t *testing.T, spec client.SessionSpec) *scene {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "greet.txt"), []byte("hello\n"), 0o600))
	work, err := workspace.Open(dir, os.Environ())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, work.Close()) })
	s := &scene{T: t, base: gatewaytest.Start(t).Base, work: work}
	s.person = connect(t, s.base)
	spec.Cwd, spec.Tools = new(work.Dir()), new(host.Specs(work.Tools()))
	made, err := s.person.CreateSession(t.Context(), spec)
	require.NoError(t, err)
	s.session = made.ID
	return s
}

// serve runs a host with a script until the test is over, or is told to stop.
func (s *scene) serve(steps ...model.Step) (stop func()) {
	s.Helper()
	h := host.New(host.Config{
		Client: connect(s.T, s.base), Session: s.session, HostID: "h1", Tools: s.work.Tools(),
		Chat: model.NewScripted(&model.Script{Steps: steps}),
		Log:  slog.New(slog.NewTextHandler(s.Output(), nil)),
	})
	ctx, cancel := context.WithCancel(s.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(s, <-ended, context.Canceled)
	})
	s.Cleanup(stop)
	return stop
}

// answerAll answers what is asked in the session, as somebody beside the editor.
func (s *scene) answerAll(option client.ApprovalResponseOptionID) error {
	status := client.ListApprovalsParamsStatusPending
	for a, err := range s.person.Approvals(s.Context(), client.ListApprovalsParams{SessionID: &s.session, Status: &status}) {
		if err != nil {
			return err
		}
		if _, err := s.person.Respond(s.Context(), a.ID, client.ApprovalResponse{OptionID: option}); err != nil {
			return err
		}
	}
	return nil
}

// finished waits for the end of a turn.
func (s *scene) finished(tid string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for u, err := range acp.Follow(ctx, s.person, s.session, acp.FromStart) {
		require.NoError(s, err)
		if end, ok := u.(acp.TurnEnd); ok && end.TurnID == tid {
			return
		}
	}
	s.Fatal("the session ended before the turn")
}

type args = map[string]any

func call(id, name string, arguments args) model.StepCall {
	return model.StepCall{ID: id, Name: name, Arguments: arguments}
}

func calls(c ...model.StepCall) model.Step { return model.Step{Calls: c} }

func say(text string) model.Step { return model.Step{Text: text} }

// allowing is a session in which nobody is asked about tools.
func allowing() client.SessionSpec {
	return client.SessionSpec{Rules: &client.Rules{Allow: &[]string{"*"}}}
}
