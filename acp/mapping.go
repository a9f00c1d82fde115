package acp

import (
	"encoding/json"
	"fmt"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// Mapping translates one session's events, in their order. It is used by one
// goroutine.
type Mapping struct {
	seq   int // of the newest event that was applied
	floor time.Time
	tools tools
	mode  client.Mode
	plan  string // the text that is shown
	turn  turn
	batch batch
	asked map[string]sdk.ToolCallId // the questions that are put, by approval
}

// Begin says from where a session is shown.
type Begin bool

// Where a mapping begins.
const (
	FromStart Begin = false // with its history
	FromNow   Begin = true  // with what is open
)

// NewMapping begins to show a session. From the start, its events follow from
// the oldest; from now, [Mapping.Reconcile] comes first.
func NewMapping(s client.SessionDocument, from Begin) *Mapping {
	m := &Mapping{asked: map[string]sdk.ToolCallId{}}
	m.SetTools(s)
	if from == FromNow {
		m.mode, m.floor = s.ApprovalMode, s.UpdatedAt
	}
	return m
}

// SetTools says what kinds the session's tools have, and where it works.
func (m *Mapping) SetTools(s client.SessionDocument) {
	m.tools = newTools(s)
}

// ToolsOutdated says that the session's tools changed: [Mapping.SetTools] has to
// be called before the next event.
func (m *Mapping) ToolsOutdated() bool { return m.tools.heard > m.tools.known }

// Seq is the place of the newest event that was applied.
func (m *Mapping) Seq() int { return m.seq }

// Owed is the turn that has ended and waits for its document: [Mapping.Settle]
// has to be called before the next event. Empty if there is none.
func (m *Mapping) Owed() string {
	if m.turn.owed {
		return m.turn.id
	}
	return ""
}

// Apply takes an event of the log. One that it has had says nothing. A
// stream.reset says nothing either; the session.snapshot behind it has to be
// answered by [Mapping.Reconcile].
func (m *Mapping) Apply(e client.Event) ([]Update, error) {
	if e.Seq == nil || *e.Seq <= m.seq || e.Type == client.EventTypeSessionSnapshot {
		return nil, nil
	}
	apply, ok := appliers[e.Type]
	if !ok {
		m.seq = *e.Seq
		return nil, nil
	}
	updates, err := apply(m, e)
	if err != nil {
		return nil, fmt.Errorf("apply %s (event %d): %w", e.Type, *e.Seq, err)
	}
	m.seq = *e.Seq
	return updates, nil
}

// appliers are the events that clients are told of. All others are the hosts'.
var appliers = map[client.EventType]func(*Mapping, client.Event) ([]Update, error){
	client.EventTypeSessionCreated:    with((*Mapping).onSession),
	client.EventTypeSessionUpdated:    with((*Mapping).onSession),
	client.EventTypeModeChanged:       with((*Mapping).onMode),
	client.EventTypePlanEntered:       with((*Mapping).onPlan),
	client.EventTypePlanUpdated:       with((*Mapping).onPlan),
	client.EventTypePlanExited:        with((*Mapping).onPlan),
	client.EventTypeTurnStarted:       with((*Mapping).onTurn),
	client.EventTypeMessageDelta:      with((*Mapping).onText),
	client.EventTypeTurnCompleted:     with((*Mapping).onTurnEnd),
	client.EventTypeBatchStarted:      with((*Mapping).onBatch),
	client.EventTypeBatchCompleted:    with((*Mapping).onBatchEnd),
	client.EventTypeCallClaimed:       within((*Mapping).onClaim),
	client.EventTypeCallProgress:      within((*Mapping).onProgress),
	client.EventTypeCallResult:        within((*Mapping).onResult),
	client.EventTypeApprovalRequested: with((*Mapping).onQuestion),
	client.EventTypeApprovalResolved:  with((*Mapping).onAnswer),
	client.EventTypeHostAttached:      with((*Mapping).onHost),
	client.EventTypeHostLost:          with((*Mapping).onHostLost),
}

// with reads an event's document and hands it on.
func with[T any](apply func(*Mapping, T) []Update) func(*Mapping, client.Event) ([]Update, error) {
	return func(m *Mapping, e client.Event) ([]Update, error) {
		var doc T
		if err := json.Unmarshal(e.Data, &doc); err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		return apply(m, doc), nil
	}
}

// within is with for events of the batch that is shown. What is told of an older
// one, which is over, is nothing that a client would hear.
func within[T any](apply func(*Mapping, T) []Update) func(*Mapping, client.Event) ([]Update, error) {
	read := with(apply)
	return func(m *Mapping, e client.Event) ([]Update, error) {
		if e.BatchID == nil || *e.BatchID != m.batch.id {
			return nil, nil
		}
		return read(m, e)
	}
}

func (m *Mapping) onSession(s client.SessionSummary) []Update {
	m.tools.heard = s.ToolsRevision
	return nil
}

func (m *Mapping) onMode(c client.ModeChanged) []Update { return m.showMode(c.To) }

func (m *Mapping) showMode(mode client.Mode) []Update {
	if mode == m.mode {
		return nil
	}
	m.mode = mode
	return notice(sdk.SessionUpdate{CurrentModeUpdate: &sdk.SessionCurrentModeUpdate{CurrentModeId: sdk.SessionModeId(mode)}})
}

func (m *Mapping) onHost(client.HostAttached) []Update { return []Update{HostChange{Attached: true}} }

// onHostLost leaves out a host that a newer one replaced: the session is served.
func (m *Mapping) onHostLost(h client.HostLost) []Update {
	if h.Reason == client.HostLostReasonReplaced {
		return nil
	}
	return []Update{HostChange{}}
}

func notice(u sdk.SessionUpdate) []Update { return []Update{Notice{u}} }
