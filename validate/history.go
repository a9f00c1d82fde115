package validate

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// history is what a session's events tell, as far as rules need it.
type history struct {
	sid     string
	host    string // attached now; empty if none is
	seq     int    // of the newest event
	batches map[string]*batch
	order   []*batch
	turns   map[string]*turn
	shown   map[sdk.ToolCallId]*shown // the other view: what an editor is told
	broken  []Violation               // what is wrong with the stream itself
	// caughtUp says that the other view has begun.
	caughtUp bool
}

// batch is what was seen of a batch.
type batch struct {
	id, turn, sender string
	format           client.Format
	calls            []*call
	ends             int
	afterEnd         int // the position of a result behind the end, +1
	stop             string
	status           client.BatchStatus
	busy             time.Time // when its host did something last
	requests         []client.ModelRequestCheck
	asked            string // the tool of a call that a person is asked about
	followed         bool   // its turn went on with something that a model said
}

// call is what was seen of a call.
type call struct {
	position int
	id, tool string
	offers   []time.Time
	claims   []claim
	results  []client.Result
	late     int
}

// claim is one claim that was granted.
type claim struct {
	by       string
	attached string        // the host that was, then
	waited   time.Duration // since the offer, or since the host was last busy
}

// turn is what was seen of a turn.
type turn struct {
	id     string
	reason client.TurnStopReason // empty: it is open
}

func newHistory(sid string) *history {
	return &history{sid: sid, batches: map[string]*batch{}, turns: map[string]*turn{}, shown: map[sdk.ToolCallId]*shown{}}
}

// begin says from where the events will be told.
func (h *history) begin(s client.SessionDocument) {
	h.seq = seqOf(s.LastEventID)
	if len(s.Hosts) > 0 {
		h.host = s.Hosts[0]
	}
}

// take notes an event. Events of batches that began before are left alone: a
// part of a batch can't be judged.
func (h *history) take(e client.Event) error {
	h.inOrder(e)
	read, ok := readers[e.Type]
	if !ok {
		return nil
	}
	if err := read(h, e); err != nil {
		return fmt.Errorf("read %s: %w", e.Type, err)
	}
	return nil
}

// inOrder wants every number once.
func (h *history) inOrder(e client.Event) {
	if e.Seq == nil {
		return
	}
	if *e.Seq != h.seq+1 {
		h.broken = append(h.broken, Violation{
			Code: CodeStreamGap, Party: Gateway, Session: h.sid, Detail: fmt.Sprintf("event %d came behind event %d", *e.Seq, h.seq),
		})
	}
	h.seq = *e.Seq
}

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
	b := &batch{id: seen.ID, format: seen.Format, status: seen.Status}
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
		b.status = seen.Status
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
