package stream

import "context"

// place is where a stream's reader stands, and how it goes on from there. It
// knows nothing of HTTP. Only load and restart read the store; nothing else
// blocks.
type place interface {
	// topic names what is read.
	topic() Topic
	// wants is what the reader needs now.
	wants() need
	// take copies the next frames into buf, and says what else is needed. When
	// that is events, w is called as soon as there may be some.
	take(buf []*frame, w *waiter) (n int, what need)
	// prefix is what has to be written before a frame that was taken last. It
	// never changes afterwards.
	prefix(f *frame) []byte
	// load sees to needHistory.
	load(ctx context.Context) error
	// paging says that a page of history is not taken whole yet.
	paging() bool
	// settle sees to needFetch and needRing.
	settle(what need)
	// restart takes the state to go on from: needReset.
	restart(ctx context.Context) (reset, error)
	// id is the last event's, as readers see it; false when it is not known yet.
	id() (string, bool)
	// live says that only what comes from now on was asked for.
	live() bool
	// reason is why there is nothing to read any more: needFarewell.
	reason() Reason
}

// need is what a place needs before more can be taken, the gravest last.
type need uint8

const (
	needNone     need = iota // something was taken, there may be more
	needEvents               // the reader has everything; wait
	needFetch                // the ring lacks what the reader has; let it be read, and wait
	needHistory              // load
	needReset                // restart
	needRing                 // the ring disagrees with the place; restart the topic
	needEnd                  // the session is closed, everything was taken
	needFarewell             // there is nothing to read any more; say why
)

// waits says that nothing can be done but wait.
func (n need) waits() bool { return n == needEvents || n == needFetch }

// reset is what a reader is told when its place can't be continued, and the
// state that it goes on from.
type reset struct {
	why    Reason // "" when nothing was lost: the reader only begins
	cursor string
	state  []byte // nil when there is nothing to go on from any more
	typ    string // of the frame that carries the state
	id     string // of the last event in the state
	seq    uint64 // the same, where there is such a number
}

// patience counts the resets since the last event.
type patience int

// left says that one more reset may lead somewhere.
func (p patience) left() bool { return p < maxResets }

// took starts the count anew when something was taken or all there is was.
func (p *patience) took(n int, what need) {
	if n > 0 || what == needEvents || what == needEnd {
		*p = 0
	}
}
