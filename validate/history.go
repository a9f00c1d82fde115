package validate

import (
	"fmt"
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
	calls            []*call
	ends             int
	afterEnd         int // the position of a result behind the end, +1
	stop             string
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
