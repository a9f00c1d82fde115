package sessions

import (
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// The fields of a turn's hash. Each is written once; what is said in a turn is
// a string beside it that grows by what is appended.
const (
	fieldTurnHead  = "turn"
	fieldTurnInput = "in"
	fieldTurnEnd   = "end"
)

type storedTurn struct {
	By       string   `json:"b"`
	Started  int64    `json:"s"`
	Notices  []string `json:"no,omitempty"`
	Reminded bool     `json:"rm,omitempty"`
}

type storedTurnEnd struct {
	Reason    scheduler.TurnReason `json:"r"`
	At        int64                `json:"a"`
	TextBytes int                  `json:"x,omitempty"`
}

// storedOpenTurn is the open turn in the session's own document.
type storedOpenTurn struct {
	Number  uint64 `json:"n"`
	By      string `json:"b"`
	Started int64  `json:"s"`
}

// patchTurn writes what a command did to a turn.
func (c *change) patchTurn(out *store.Commit) {
	fx := &c.fx
	switch {
	case fx.TurnStarted:
		turn := c.doc.state.Session.Open
		c.doc.turns = turn.Number
		out.Turn = &store.TurnPatch{Number: turn.Number, Set: store.Fields{
			fieldTurnHead: encode(storedTurn{
				By: turn.By, Started: millis(turn.Started), Notices: fx.TurnNotices, Reminded: c.doc.reminds(),
			}),
			fieldTurnInput: string(c.input),
		}}
		if turn.Number > MaxTurns {
			out.Turn.Drop = turn.Number - MaxTurns
		}
	case fx.TurnEnded != nil:
		end := fx.TurnEnded
		out.Turn = &store.TurnPatch{Number: end.Number, Set: store.Fields{
			fieldTurnEnd: encode(storedTurnEnd{Reason: end.Reason, At: millis(end.At), TextBytes: end.TextBytes}),
		}}
	case fx.Said != "":
		out.Turn = &store.TurnPatch{Number: c.doc.state.Session.Open.Number, Text: fx.Said}
	}
}

// patchOpenTurn writes the open turn into the session's document, and takes it
// out again.
func (d *document) patchOpenTurn(before *document, p *store.Patch) {
	turn, was := d.state.Session.Open, before.state.Session.Open
	switch {
	case turn == nil && was != nil:
		p.Del = append(p.Del, fieldOpenTurn)
	case turn != nil && (was == nil || was.Number != turn.Number):
		p.Set[fieldOpenTurn] = encode(storedOpenTurn{Number: turn.Number, By: turn.By, Started: millis(turn.Started)})
	}
}

func (d *document) decodeOpenTurn(fields store.Fields, textBytes int) error {
	var s *storedOpenTurn
	if err := decodeField(fields, fieldOpenTurn, &s); err != nil || s == nil {
		return err
	}
	d.state.Session.Open = &scheduler.OpenTurn{
		ID: newTurnID(d.topic.Session, s.Number), Number: s.Number, By: s.By, Started: fromMillis(s.Started), TextBytes: textBytes,
	}
	return nil
}

// reminds says whether a turn that starts now carries the reminder.
func (d *document) reminds() bool { return d.state.Session.Plan.On() }

// decodeTurn reads a turn that is stored. What it can't know of one that is
// open (how much was said by now) is in the session's document.
func (d *document) decodeTurn(number uint64, fields store.Fields) (Turn, error) {
	var head storedTurn
	var end *storedTurnEnd
	for _, err := range []error{decodeField(fields, fieldTurnHead, &head), decodeField(fields, fieldTurnEnd, &end)} {
		if err != nil {
			return Turn{}, fmt.Errorf("session %s: turn %d: %w", d.topic.Session, number, err)
		}
	}
	v := Turn{
		ID: newTurnID(d.topic.Session, number), SessionID: d.topic.Session, Status: turnOpen, By: head.By,
		Input: scheduler.RawJSON(fields[fieldTurnInput]), Notices: head.Notices, StartedAt: scheduler.Timestamp{Time: fromMillis(head.Started)},
	}
	if head.Reminded {
		v.Reminder = planmode.ReminderFor(d.spec.SDK)
	}
	if end != nil {
		v.Status, v.StopReason, v.TextBytes = turnCompleted, &end.Reason, end.TextBytes
		v.CompletedAt = timestamp(fromMillis(end.At))
	} else if open := d.state.Session.Open; open != nil && open.Number == number {
		v.TextBytes = open.TextBytes
	}
	return v, nil
}

// shortInput keeps the items of an input that are within a size, from the
// first on; true when some are left out.
func shortInput(input scheduler.RawJSON, limit int) (scheduler.RawJSON, bool) {
	if len(input) <= limit {
		return input, false
	}
	var items []json.RawMessage
	if err := json.Unmarshal(input, &items); err != nil {
		return scheduler.RawJSON("[]"), true
	}
	kept, size := 0, 0
	for ; kept < len(items) && size+len(items[kept]) <= limit; kept++ {
		size += len(items[kept])
	}
	return scheduler.RawJSON(encode(items[:kept])), true
}
