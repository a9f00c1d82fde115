package acp

import (
	"context"
	"log/slog"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

var (
	_ sdk.Agent       = (*agent)(nil)
	_ sdk.AgentLoader = (*agent)(nil)
)

// Initialize says what this agent can. Images and audio would not fit a turn's
// input; what an editor embeds as text does.
func (a *agent) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		AgentInfo:       &sdk.Implementation{Name: "session-gateway", Version: a.Version},
		AuthMethods:     []sdk.AuthMethod{}, // the key is given when the program is started
		AgentCapabilities: sdk.AgentCapabilities{
			LoadSession:        true,
			PromptCapabilities: sdk.PromptCapabilities{EmbeddedContext: true},
			SessionCapabilities: sdk.SessionCapabilities{
				Close: &sdk.SessionCloseCapabilities{}, Resume: &sdk.SessionResumeCapabilities{},
			},
		},
	}, nil
}

// NewSession opens the configured session, as it is, or makes one.
func (a *agent) NewSession(ctx context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if len(r.McpServers) > 0 {
		a.Log.Warn("MCP servers are the host's to know; the editor's are not used", slog.Int("servers", len(r.McpServers)))
	}
	sid := a.Session
	if sid == "" {
		made, err := a.Client.CreateSession(ctx, client.SessionSpec{Runtime: new(client.Acp), Cwd: &r.Cwd})
		if err != nil {
			return sdk.NewSessionResponse{}, refusal("create a session", err)
		}
		sid = made.ID
	}
	modes, err := a.open(ctx, sid, FromNow)
	return sdk.NewSessionResponse{SessionId: sdk.SessionId(sid), Modes: modes}, err
}

// LoadSession opens a session and shows its history before it answers.
func (a *agent) LoadSession(ctx context.Context, r sdk.LoadSessionRequest) (sdk.LoadSessionResponse, error) {
	modes, err := a.open(ctx, string(r.SessionId), FromStart)
	return sdk.LoadSessionResponse{Modes: modes}, err
}

// ResumeSession opens a session without its history.
func (a *agent) ResumeSession(ctx context.Context, r sdk.ResumeSessionRequest) (sdk.ResumeSessionResponse, error) {
	modes, err := a.open(ctx, string(r.SessionId), FromNow)
	return sdk.ResumeSessionResponse{Modes: modes}, err
}

// CloseSession cancels what the session does and follows it no longer. On the
// gateway it stays.
func (a *agent) CloseSession(ctx context.Context, r sdk.CloseSessionRequest) (sdk.CloseSessionResponse, error) {
	s, err := a.opened(r.SessionId)
	if err != nil {
		return sdk.CloseSessionResponse{}, err
	}
	if err := s.cancel(ctx); err != nil {
		return sdk.CloseSessionResponse{}, refusal("cancel the turn", err)
	}
	a.drop(s)
	return sdk.CloseSessionResponse{}, nil
}

// Prompt starts a turn and answers when it has ended.
func (a *agent) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	s, err := a.opened(r.SessionId)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	reason, err := s.prompt(ctx, r.Prompt)
	return sdk.PromptResponse{StopReason: reason}, err
}

// Cancel ends the turn that is open, whoever began it.
func (a *agent) Cancel(ctx context.Context, n sdk.CancelNotification) error {
	s, err := a.opened(n.SessionId)
	if err != nil {
		return err
	}
	if err := s.cancel(ctx); err != nil {
		return refusal("cancel the turn", err)
	}
	return nil
}

// SetSessionMode changes the approval mode, as a person does.
func (a *agent) SetSessionMode(ctx context.Context, r sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	s, err := a.opened(r.SessionId)
	if err != nil {
		return sdk.SetSessionModeResponse{}, err
	}
	if _, err := a.Client.SetMode(ctx, s.id, client.Mode(r.ModeId)); err != nil {
		return sdk.SetSessionModeResponse{}, refusal("change the mode", err)
	}
	return sdk.SetSessionModeResponse{}, nil
}

// Authenticate is for agents that offer methods to.
func (a *agent) Authenticate(context.Context, sdk.AuthenticateRequest) (sdk.AuthenticateResponse, error) {
	return sdk.AuthenticateResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodAuthenticate)
}

// ListSessions is not offered: a gateway's sessions are a whole tenant's.
func (a *agent) ListSessions(context.Context, sdk.ListSessionsRequest) (sdk.ListSessionsResponse, error) {
	return sdk.ListSessionsResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodSessionList)
}

// SetSessionConfigOption is not offered: there are no options.
func (a *agent) SetSessionConfigOption(context.Context, sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	return sdk.SetSessionConfigOptionResponse{}, sdk.NewMethodNotFound(sdk.AgentMethodSessionSetConfigOption)
}

// modes are the gateway's approval modes.
func modes(s client.SessionDocument) *sdk.SessionModeState {
	state := &sdk.SessionModeState{CurrentModeId: sdk.SessionModeId(s.ApprovalMode)}
	for _, m := range []struct {
		id         client.Mode
		name, says string
	}{
		{client.ModePlan, "Plan", "Research and plan; nothing is changed until you approve the plan"},
		{client.ModeDefault, "Default", "Ask before changes and commands"},
		{client.ModeAutoEdit, "Auto edit", "Edit files without asking"},
		{client.ModeYolo, "Yolo", "Never ask, except where a rule says so"},
	} {
		if m.id == client.ModePlan && !s.Modules.PlanMode {
			continue // without the module there is no such mode
		}
		state.AvailableModes = append(state.AvailableModes, sdk.SessionMode{
			Id: sdk.SessionModeId(m.id), Name: m.name, Description: &m.says,
		})
	}
	return state
}
