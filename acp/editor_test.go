package acp_test

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// editor is the client side of the protocol, with a person who answers by plan.
type editor struct {
	*sdk.ClientSideConnection
	t *testing.T

	mu      sync.Mutex
	v       *viewer
	updates []sdk.SessionUpdate
	asks    []sdk.RequestPermissionRequest
	news    chan struct{} // told of every update
	person  func(context.Context, sdk.RequestPermissionRequest) (string, error)
}

var _ sdk.Client = (*editor)(nil)

// edit connects an editor to a bridge of its own. What the person answers to a
// question is an option's id; empty is no answer.
func (s *scene) edit(c acp.Config, person func(context.Context, sdk.RequestPermissionRequest) (string, error)) *editor {
	s.Helper()
	if c.Client == nil {
		c.Client = connect(s.T, s.base)
	}
	c.Log = slog.New(slog.NewTextHandler(s.Output(), nil))
	toAgent, fromEditor := io.Pipe()
	toEditor, fromAgent := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- acp.Serve(context.WithoutCancel(s.Context()), c, toAgent, fromAgent)
		_ = fromAgent.Close() // a pipe's never fails
	}()
	e := &editor{t: s.T, v: newViewer(s.T), news: make(chan struct{}, 1), person: person}
	e.ClientSideConnection = sdk.NewClientSideConnection(e, fromEditor, toEditor)
	s.Cleanup(func() {
		require.NoError(s, fromEditor.Close())
		require.NoError(s, <-ended)
	})
	_, err := e.Initialize(s.Context(), sdk.InitializeRequest{ProtocolVersion: sdk.ProtocolVersionNumber})
	require.NoError(s, err)
	return e
}

// begin opens the scene's session as a new one.
func (e *editor) begin() sdk.SessionId {
	e.t.Helper()
	made, err := e.NewSession(e.t.Context(), sdk.NewSessionRequest{Cwd: "/", McpServers: []sdk.McpServer{}})
	require.NoError(e.t, err)
	return made.SessionId
}

// say prompts and waits for the end.
func (e *editor) say(ctx context.Context, sid sdk.SessionId, text string) (sdk.StopReason, error) {
	e.t.Helper()
	e.mu.Lock()
	e.v.see(acp.Prompted{TurnID: text})
	e.mu.Unlock()
	r, err := e.Prompt(ctx, sdk.PromptRequest{SessionId: sid, Prompt: []sdk.ContentBlock{sdk.TextBlock(text)}})
	return r.StopReason, err
}

// SessionUpdate holds an update to the promises.
func (e *editor) SessionUpdate(_ context.Context, n sdk.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.updates = append(e.updates, n.Update)
	e.v.notice(n.Update)
	select {
	case e.news <- struct{}{}:
	default:
	}
	return nil
}

// RequestPermission lets the person answer.
func (e *editor) RequestPermission(ctx context.Context, r sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	e.mu.Lock()
	e.asks = append(e.asks, r)
	e.mu.Unlock()
	option, err := e.person(ctx, r)
	if err != nil {
		return sdk.RequestPermissionResponse{}, err
	}
	if option == "" {
		return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}, nil
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(sdk.PermissionOptionId(option))}, nil
}

// until waits for an update that fits.
func (e *editor) until(fits func(sdk.SessionUpdate) bool) {
	e.t.Helper()
	over := time.After(patience)
	for seen := 0; ; {
		e.mu.Lock()
		fresh := e.updates[seen:]
		e.mu.Unlock()
		if slices.ContainsFunc(fresh, fits) {
			return
		}
		seen += len(fresh)
		select {
		case <-e.news:
		case <-over:
			e.t.Fatal("it did not come")
		}
	}
}

// agrees wants the editor to have one terminal update for every call that the
// gateway accepted, and all that was said.
func (e *editor) agrees(c *client.Client, sid string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	calls := 0
	for b, err := range c.Batches(e.t.Context(), sid) {
		require.NoError(e.t, err)
		for _, call := range b.Calls {
			calls++
			seen := e.v.calls[acp.ToolCallID(b.ID, call.Position)]
			require.NotNil(e.t, seen, "%s was never shown", call.ID)
			require.True(e.t, over(seen.status), "%s never ended", call.ID)
		}
	}
	require.Len(e.t, e.v.calls, calls)
	var said, known strings.Builder
	for _, u := range e.updates {
		if u.AgentMessageChunk != nil {
			said.WriteString(u.AgentMessageChunk.Content.Text.Text)
		}
	}
	var turns []string
	for turn, err := range c.Turns(e.t.Context(), sid) {
		require.NoError(e.t, err)
		turns = append([]string{turn.ID}, turns...)
	}
	for _, id := range turns {
		turn, err := c.Turn(e.t.Context(), sid, id)
		require.NoError(e.t, err)
		known.WriteString(*turn.Text)
	}
	require.Equal(e.t, known.String(), said.String())
}

// call is a call that the editor was shown, by the model's id.
func (e *editor) call(id string) seen {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, u := range e.updates {
		if u.ToolCall != nil && u.ToolCall.Meta["session-gateway"].(map[string]any)["call_id"] == id {
			return *e.v.calls[u.ToolCall.ToolCallId]
		}
	}
	e.t.Fatalf("%s was never shown", id)
	return seen{}
}

func (e *editor) asked() []sdk.RequestPermissionRequest {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asks
}

// nobody is a person who is not there.
func nobody(ctx context.Context, _ sdk.RequestPermissionRequest) (string, error) {
	<-ctx.Done()
	return "", nil
}

// choosing answers every question the same.
func choosing(option string) func(context.Context, sdk.RequestPermissionRequest) (string, error) {
	return func(context.Context, sdk.RequestPermissionRequest) (string, error) { return option, nil }
}

// The rest of what a client can; this one has no files and no terminal.

func (*editor) ReadTextFile(context.Context, sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	return sdk.ReadTextFileResponse{}, sdk.NewMethodNotFound("fs/read_text_file")
}

func (*editor) WriteTextFile(context.Context, sdk.WriteTextFileRequest) (sdk.WriteTextFileResponse, error) {
	return sdk.WriteTextFileResponse{}, sdk.NewMethodNotFound("fs/write_text_file")
}

func (*editor) CreateTerminal(context.Context, sdk.CreateTerminalRequest) (sdk.CreateTerminalResponse, error) {
	return sdk.CreateTerminalResponse{}, sdk.NewMethodNotFound("terminal/create")
}

func (*editor) KillTerminal(context.Context, sdk.KillTerminalRequest) (sdk.KillTerminalResponse, error) {
	return sdk.KillTerminalResponse{}, sdk.NewMethodNotFound("terminal/kill")
}

func (*editor) TerminalOutput(context.Context, sdk.TerminalOutputRequest) (sdk.TerminalOutputResponse, error) {
	return sdk.TerminalOutputResponse{}, sdk.NewMethodNotFound("terminal/output")
}

func (*editor) ReleaseTerminal(context.Context, sdk.ReleaseTerminalRequest) (sdk.ReleaseTerminalResponse, error) {
	return sdk.ReleaseTerminalResponse{}, sdk.NewMethodNotFound("terminal/release")
}

func (*editor) WaitForTerminalExit(context.Context, sdk.WaitForTerminalExitRequest) (sdk.WaitForTerminalExitResponse, error) {
	return sdk.WaitForTerminalExitResponse{}, sdk.NewMethodNotFound("terminal/wait_for_exit")
}
