package validate

import (
	"encoding/json"
	"slices"

	"github.com/session-gateway/gateway/client"
)

// readers are what events mean.
var readers = map[client.EventType]func(*history, client.Event) error{
	client.EventTypeBatchStarted:        (*history).onStart,
	client.EventTypeBatchCompleted:      (*history).onEnd,
	client.EventTypeApprovalRequested:   (*history).onQuestion,
	client.EventTypeCallDispatched:      (*history).onOffer,
	client.EventTypeCallClaimed:         (*history).onClaim,
	client.EventTypeCallProgress:        (*history).onProgress,
	client.EventTypeCallResult:          (*history).onResult,
	client.EventTypeCallLate:            (*history).onLate,
	client.EventTypeModelRequestChecked: (*history).onRequest,
	client.EventTypeHostAttached:        (*history).onAttach,
	client.EventTypeHostLost:            (*history).onLoss,
	client.EventTypeTurnStarted:         (*history).onTurn,
	client.EventTypeMessageDelta:        (*history).onMessage,
	client.EventTypeTurnCompleted:       (*history).onTurnEnd,
}

func (h *history) onStart(e client.Event) error {
	seen, err := decode[client.Batch](e)
	if err != nil {
		return err
	}
	b := &batch{id: seen.ID}
	if seen.TurnID != nil {
		b.turn = *seen.TurnID
		h.goesOn(b.turn)
	}
	if seen.HostID != nil {
		b.sender = *seen.HostID
	}
	for _, c := range seen.Calls {
		b.calls = append(b.calls, &call{position: c.Position, id: c.ID, tool: c.Tool})
	}
	h.batches[b.id] = b
	h.order = append(h.order, b)
	return nil
}

func (h *history) onEnd(e client.Event) error {
	seen, err := decode[client.Batch](e)
	if b := h.batches[seen.ID]; err == nil && b != nil {
		b.ends++
		if seen.Stop != nil {
			b.stop = string(seen.Stop.Reason)
		}
	}
	return err
}

func (h *history) onQuestion(e client.Event) error {
	return at(h, e, func(c *call, b *batch, _ client.Approval) { b.asked = c.tool })
}

func (h *history) onOffer(e client.Event) error {
	return at(h, e, func(c *call, _ *batch, _ client.Dispatched) { c.offers = append(c.offers, e.Time) })
}

func (h *history) onClaim(e client.Event) error {
	return at(h, e, func(c *call, b *batch, d client.Claimed) {
		made := claim{by: d.HostID, attached: h.host}
		if n := len(c.offers); n > 0 {
			since := c.offers[n-1]
			if b.busy.After(since) {
				since = b.busy
			}
			made.waited = e.Time.Sub(since)
		}
		c.claims = append(c.claims, made)
		b.busy = e.Time
	})
}

func (h *history) onProgress(e client.Event) error {
	return at(h, e, func(_ *call, b *batch, _ client.CallProgress) { b.busy = e.Time })
}

func (h *history) onResult(e client.Event) error {
	return at(h, e, func(c *call, b *batch, r client.Result) {
		c.results = append(c.results, r)
		b.busy = e.Time
		if b.ends > 0 {
			b.afterEnd = c.position + 1
		}
	})
}

func (h *history) onLate(e client.Event) error {
	return at(h, e, func(c *call, _ *batch, _ client.Late) { c.late++ })
}

func (h *history) onRequest(e client.Event) error {
	seen, err := decode[client.ModelRequestCheck](e)
	if b := h.batches[seen.BatchID]; err == nil && b != nil {
		b.requests = append(b.requests, seen)
	}
	return err
}

func (h *history) onAttach(e client.Event) error {
	seen, err := decode[client.HostAttached](e)
	h.host = seen.HostID
	return err
}

func (h *history) onLoss(e client.Event) error {
	seen, err := decode[client.HostLost](e)
	if h.host == seen.HostID {
		h.host = ""
	}
	return err
}

func (h *history) onTurn(e client.Event) error {
	seen, err := decode[client.TurnStarted](e)
	h.turns[seen.Turn.ID] = &turn{id: seen.Turn.ID}
	return err
}

func (h *history) onMessage(e client.Event) error {
	seen, err := decode[client.MessageDelta](e)
	h.goesOn(seen.TurnID)
	return err
}

func (h *history) onTurnEnd(e client.Event) error {
	seen, err := decode[client.Turn](e)
	if t := h.turns[seen.ID]; err == nil && t != nil && seen.StopReason != nil {
		t.reason = *seen.StopReason
	}
	return err
}

// goesOn notes that a model was asked again after the turn's last batch.
func (h *history) goesOn(tid string) {
	for _, b := range slices.Backward(h.order) {
		if b.turn == tid {
			b.followed = b.ends > 0
			return
		}
	}
}

// at hands the call that an event is about, and what it tells, to note.
func at[T any](h *history, e client.Event, note func(*call, *batch, T)) error {
	place, err := decode[client.Late](e) // a position, as all of them have
	if err != nil || e.BatchID == nil {
		return err
	}
	told, err := decode[T](e)
	if err != nil {
		return err
	}
	b := h.batches[*e.BatchID]
	if b == nil || place.Position < 0 || place.Position >= len(b.calls) {
		return nil
	}
	note(b.calls[place.Position], b, told)
	return nil
}

// decode reads what an event tells.
func decode[T any](e client.Event) (T, error) {
	var out T
	err := json.Unmarshal(e.Data, &out)
	return out, err
}
