package sessions

import "github.com/session-gateway/gateway/scheduler"

// The statuses of a turn.
const (
	turnOpen      = "open"
	turnCompleted = "completed"
)

// Turn is a person's prompt and what came of it. Input, notices and reminder
// stand where a turn starts and where one is read; what was said only where one
// is read.
type Turn struct {
	ID           string                `json:"id"`
	SessionID    string                `json:"session_id"`
	Status       string                `json:"status"` // open | completed
	StopReason   *scheduler.TurnReason `json:"stop_reason"`
	By           string                `json:"by"`
	Input        scheduler.RawJSON     `json:"input,omitempty"` // a list of content items, as they came
	InputPreview bool                  `json:"input_preview,omitempty"`
	Notices      []string              `json:"notices,omitempty"`
	Reminder     string                `json:"reminder,omitempty"`
	Text         *string               `json:"text,omitempty"`
	TextBytes    int                   `json:"text_bytes"`
	StartedAt    scheduler.Timestamp   `json:"started_at"`
	CompletedAt  *scheduler.Timestamp  `json:"completed_at"`
}

// Said is the answer to a text that was added to a turn.
type Said struct {
	TurnID    string `json:"turn_id"`
	TextBytes int    `json:"text_bytes"` // said in the turn up to and with this
}

// turnStarted is the data of turn.started: what a host needs to begin.
type turnStarted struct {
	Turn     Turn     `json:"turn"`
	Reminder string   `json:"reminder,omitempty"`
	Notices  []string `json:"notices"`
}

// messageDelta is the data of message.delta.
type messageDelta struct {
	TurnID string `json:"turn_id"`
	Text   string `json:"text"`
}

// openTurnView is the open turn without what is stored beside it.
func (d *document) openTurnView() Turn {
	t := d.state.Session.Open
	return Turn{
		ID: t.ID, SessionID: d.topic.Session, Status: turnOpen, By: t.By, TextBytes: t.TextBytes,
		StartedAt: scheduler.Timestamp{Time: t.Started},
	}
}

// endedTurnView is the same of one that ended.
func (d *document) endedTurnView(t *scheduler.TurnEnd) Turn {
	return Turn{
		ID: t.ID, SessionID: d.topic.Session, Status: turnCompleted, StopReason: &t.Reason, By: t.By,
		TextBytes: t.TextBytes, StartedAt: scheduler.Timestamp{Time: t.Started}, CompletedAt: timestamp(t.At),
	}
}
