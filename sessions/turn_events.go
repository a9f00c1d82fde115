package sessions

import (
	"unicode/utf8"

	"github.com/session-gateway/gateway/planmode"
)

// The event types of turns.
const (
	eventTurnStarted   = "turn.started"
	eventTurnCompleted = "turn.completed"
	eventMessageDelta  = "message.delta"
)

const (
	// maxInputPreview is how much of a turn's input events and lists carry; the
	// turn holds the whole. With the reminder it stays below MaxEventData.
	maxInputPreview = 16 << 10
	// maxDelta is how much text one message.delta carries; a longer text of one
	// commit is told by several, so that no frame is large.
	maxDelta = 16 << 10
)

// tellTurn tells of a turn that starts and of what is said in it: before
// everything else that its commit did.
func (c *change) tellTurn(n *narration) {
	if c.fx.TurnStarted {
		v := turnStarted{Turn: c.doc.openTurnView(), Notices: listOrEmpty(c.fx.TurnNotices)}
		v.Turn.Input, v.Turn.InputPreview = shortInput(c.input, maxInputPreview)
		if c.doc.reminds() {
			v.Reminder = planmode.ReminderFor(c.doc.spec.SDK)
		}
		n.add(eventTurnStarted, v)
	}
	for text := c.fx.Said; text != ""; {
		var part string
		part, text = cutText(text, maxDelta)
		n.add(eventMessageDelta, messageDelta{TurnID: c.doc.state.Session.Open.ID, Text: part})
	}
}

// tellTurnEnd tells of a turn that ended: after all that happened in it.
func (c *change) tellTurnEnd(n *narration) {
	if end := c.fx.TurnEnded; end != nil {
		n.add(eventTurnCompleted, c.doc.endedTurnView(end))
	}
}

// cutText parts a text after at most so many bytes, between characters.
func cutText(text string, size int) (part, rest string) {
	if len(text) <= size {
		return text, ""
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size], text[size:]
}
