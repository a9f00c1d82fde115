package acp

import (
	"strconv"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// Update is one thing that a client learns: a [Notice], a [Prompted], an [Ask],
// a [Withdrawal], a [TurnEnd], a [HostChange] or [CaughtUp].
type Update interface{ update() }

// Notice is a session/update.
type Notice struct{ sdk.SessionUpdate }

// Prompted says that a person prompted, in this client or elsewhere. Clients
// that did not send it are shown the input.
type Prompted struct {
	TurnID string
	Input  []sdk.ContentBlock
}

// Ask is a session/request_permission.
type Ask struct {
	ApprovalID string
	PlanSHA256 string // of the plan that is shown; empty for other questions
	ToolCall   sdk.ToolCallUpdate
	Options    []sdk.PermissionOption
}

// Withdrawal says that a question needs no answer any more: somebody gave one,
// or it is pointless.
type Withdrawal struct {
	ApprovalID string
	Status     client.ApprovalStatus // empty where the end of its call was heard of first
	By         string                // who answered, if somebody did
}

// TurnEnd answers the prompt that began the turn.
type TurnEnd struct {
	TurnID string
	Reason client.TurnStopReason
}

// HostChange says whether anybody serves the session from now on.
type HostChange struct{ Attached bool }

// CaughtUp says, once, that what was there when [Follow] began has been told.
type CaughtUp struct{}

func (Notice) update()     {}
func (Prompted) update()   {}
func (Ask) update()        {}
func (Withdrawal) update() {}
func (TurnEnd) update()    {}
func (HostChange) update() {}
func (CaughtUp) update()   {}

// Notices are what a client is shown of a prompt that it did not send.
func (p Prompted) Notices() []sdk.SessionUpdate {
	out := make([]sdk.SessionUpdate, len(p.Input))
	for i, block := range p.Input {
		out[i] = sdk.UpdateUserMessage(block)
	}
	return out
}

// ToolCallID is what clients call a call.
func ToolCallID(batchID string, position int) sdk.ToolCallId {
	return sdk.ToolCallId(batchID + "/" + strconv.Itoa(position))
}
