package acp

import (
	"encoding/json"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// turn is the newest turn that was heard of.
type turn struct {
	id    string
	at    time.Time
	said  int  // bytes of its text that were told
	gap   bool // texts were missed: the rest is told when it ends
	owed  bool // it has ended, and its text is not told yet
	ended bool
}

func (m *Mapping) onTurn(s client.TurnStarted) []Update { return m.beginTurn(s.Turn) }

// beginTurn shows a prompt, unless it is the one that is shown or older.
func (m *Mapping) beginTurn(t client.Turn) []Update {
	if t.ID == m.turn.id || t.StartedAt.Before(m.turn.at) {
		return nil
	}
	m.turn = turn{id: t.ID, at: t.StartedAt}
	return []Update{Prompted{TurnID: t.ID, Input: input(t)}}
}

func (m *Mapping) onText(d client.MessageDelta) []Update {
	if d.TurnID != m.turn.id || m.turn.gap || m.turn.ended {
		return nil
	}
	return m.say(d.Text)
}

func (m *Mapping) say(text string) []Update {
	if text == "" {
		return nil
	}
	m.turn.said += len(text)
	return notice(sdk.UpdateAgentMessageText(text))
}

func (m *Mapping) onTurnEnd(t client.Turn) []Update {
	if t.ID != m.turn.id || m.turn.ended {
		return nil
	}
	if m.turn.gap {
		m.turn.owed = true
		return nil
	}
	return m.endTurn(t.StopReason)
}

func (m *Mapping) endTurn(reason *client.TurnStopReason) []Update {
	m.turn.ended = true
	end := TurnEnd{TurnID: m.turn.id, Reason: client.TurnStopReasonError}
	if reason != nil {
		end.Reason = *reason
	}
	return []Update{end}
}

// Settle takes the document of the turn that is [Mapping.Owed], tells what was
// missed of its text, and ends it.
func (m *Mapping) Settle(t client.Turn) []Update {
	if t.ID != m.turn.id || !m.turn.owed {
		return nil
	}
	m.turn.owed = false
	return m.finish(t)
}

// finish tells the rest of a turn that is over. If its history is another one
// than was told, and shorter, there is no rest.
func (m *Mapping) finish(t client.Turn) []Update {
	var updates []Update
	if t.Text != nil && len(*t.Text) > m.turn.said {
		updates = m.say((*t.Text)[m.turn.said:])
	}
	return append(updates, m.endTurn(t.StopReason)...)
}

// input is a prompt as content blocks. Items that the protocol has no block for
// are shown as they are.
func input(t client.Turn) []sdk.ContentBlock {
	if t.Input == nil {
		return nil
	}
	blocks := make([]sdk.ContentBlock, 0, len(*t.Input))
	for _, item := range *t.Input {
		raw, err := json.Marshal(item)
		if err != nil {
			continue // it was decoded from JSON
		}
		var b sdk.ContentBlock
		if json.Unmarshal(raw, &b) != nil || b.Validate() != nil {
			b = sdk.TextBlock(string(raw))
		}
		blocks = append(blocks, b)
	}
	return blocks
}
