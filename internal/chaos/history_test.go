package chaos

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"golang.org/x/sync/errgroup"
)

// histories are the operations on each object, by the clients' clocks.
type histories struct {
	mu  sync.Mutex // guards the map
	ops map[object][]porcupine.Operation
}

// object is what operations are linearizable on: an approval, a call, a
// session's mode.
type object struct {
	room *room
	kind kind
	id   string
}

type kind int

const (
	approvalRegister kind = iota
	callLedger
	modeRegister
)

// unknown is the answer of an operation whose outcome nobody knows: it may
// have happened at any time since, or not.
type unknown struct{}

// add records an operation that was answered.
func (h *histories) add(o object, s span, input, output any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ops == nil {
		h.ops = map[object][]porcupine.Operation{}
	}
	h.ops[o] = append(h.ops[o], porcupine.Operation{Input: input, Output: output, Call: s.call, Return: s.ret})
}

// open records an operation without an answer.
func (h *histories) open(o object, s span, input any) {
	s.ret = math.MaxInt64
	h.add(o, s, input, unknown{})
}

// has says whether anything was done to an object.
func (h *histories) has(o object) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ops[o]) > 0
}

// checkWithin bounds the check of one history, which takes exponential time at
// worst.
const checkWithin = 3 * time.Second

// judge checks every history. Where a failover may lose what was acknowledged,
// histories of sessions that lost something prove nothing.
func (w *world) judge() {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for o, ops := range w.histories.ops {
		if w.promise == lossAnnounced && o.room.unsure() {
			w.tally.count("histories of sessions that lost something")
			continue
		}
		g.Go(func() error {
			w.judgeOne(o, ops)
			return nil
		})
	}
	_ = g.Wait() // what is wrong was noted
}

var models = map[kind]porcupine.Model{
	approvalRegister: approvalModel.ToModel(), callLedger: callModel.ToModel(), modeRegister: modeModel,
}

func (w *world) judgeOne(o object, ops []porcupine.Operation) {
	if w.promise != nothingLost {
		ops = slices.DeleteFunc(ops, onlyTold)
	}
	switch porcupine.CheckOperationsTimeout(models[o.kind], ops, checkWithin) {
	case porcupine.Ok:
		w.tally.count("histories linearizable: " + o.kind.String())
	case porcupine.Unknown:
		w.tally.count("histories too long to check")
	case porcupine.Illegal:
		if w.promise == lossAnnounced {
			w.tally.count("histories torn by a failover")
			return
		}
		w.wrong("session %s: the history of %s %s is not linearizable:\n%s", o.room.sid, o.kind, o.id, tell(ops))
	}
}

// onlyTold says whether an operation changed nothing and was told of a state.
// Across a failover that may be the state of a primary that was replaced.
func onlyTold(op porcupine.Operation) bool {
	switch out := op.Output.(type) {
	case refusedAnswer, answerStale:
		return true
	case claimed:
		return !out.granted
	case reported:
		return out.code != ""
	}
	switch op.Input.(type) {
	case readMode, readApproval:
		return true
	}
	return false
}

// unsure says whether the session lost something, acknowledged or shown.
func (r *room) unsure() bool { return r.lost() || r.losses > 0 || r.reset() }

func (k kind) String() string { return [...]string{"approval", "call", "mode"}[k] }

// tell is a history to be read by people.
func tell(ops []porcupine.Operation) string {
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var text strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&text, "    %v … %v: %T%+v → %T%+v\n",
			time.Duration(op.Call), time.Duration(op.Return), op.Input, op.Input, op.Output, op.Output)
	}
	return text.String()
}
