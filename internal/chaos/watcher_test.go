package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
)

const (
	watchersEach = 2
	// hopAfter is how many events a frontend reads from one replica before it
	// goes to the next.
	hopAfter = 10
	// silence is how long a frontend waits for a frame before it tries
	// elsewhere; it is less patient than the contract's 45 s.
	silence = 6 * time.Second
	// nowhere ends a watcher of a session that is gone.
	nowhere = "-"
)

// watcher is a frontend: it reads the stream, leaves, comes back elsewhere.
type watcher struct {
	caller
	*room
	replica int

	cursor   string // the last id that came
	segments []segment
	gone     bool // it was told that there is no such session

	mu   sync.Mutex // guards end
	end  string     // the id after which it may stop; empty: not known
	stop context.CancelFunc
}

// segment is what was read without being told that something is missing.
type segment struct {
	reset  string // why it begins; empty for the first
	begin  string // the cursor before its first event: the snapshot's id
	events []event
}

// event is one event as it came.
type event struct {
	id   string
	kind string
	json string
}

// seqOf is an id's number; 0 if there is none.
func seqOf(id string) uint64 {
	number, _, _ := strings.Cut(id, "-")
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return 0
	}
	return seq
}

func newWatchers(r *room) []*watcher {
	list := make([]*watcher, watchersEach)
	for i := range list {
		list[i] = newWatcher(r, 50+uint64(i))
		list[i].replica = i
	}
	return list
}

func newWatcher(r *room, part uint64) *watcher {
	return &watcher{caller: r.caller(viewer, part), room: r, segments: []segment{{}}}
}

// endAt tells the watcher which event is the last.
func (w *watcher) endAt(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = id
	if w.stop != nil {
		w.stop() // it looks again whether it is there
	}
}

// finished says whether the last event came, in the history that has it: who
// saw more of another one has to be told first.
func (w *watcher) finished() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.end == nowhere || w.end != "" && w.segments[len(w.segments)-1].includes(w.end)
}

// includes says whether an event came, itself or in the snapshot before.
func (s segment) includes(id string) bool {
	begin, seq := seqOf(s.begin), seqOf(id)
	switch {
	case seq < begin:
		return true
	case seq == begin:
		return s.begin == id
	default:
		at := seq - begin - 1
		return at < uint64(len(s.events)) && s.events[at].id == id
	}
}

// follow reads until the last event came, from one replica after the other.
func (w *watcher) follow(ctx context.Context) error {
	for !w.finished() {
		w.replica++
		err := w.visit(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("watch %s behind %q to %q, last error %w: %w", w.sid, w.cursor, w.end, err, ctx.Err())
		}
		if errors.Is(err, errGone) && !w.stale(ctx, http.StatusNotFound) {
			w.gone = true
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			w.world.tally.count("streams that broke")
			_ = pause(ctx, retryEvery) // follow looks at ctx itself
		}
	}
	return nil
}

// visit reads from one replica until it is time to leave.
func (w *watcher) visit(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w.mu.Lock()
	w.stop = stop
	w.mu.Unlock()
	impatient := time.AfterFunc(silence, stop)
	defer impatient.Stop()
	body, err := w.stream(ctx, w.replica, "/v1/sessions/"+w.sid+"/events", w.cursor)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it is left for good
	defer w.forgetHalfReset()
	w.world.tally.count("stream connects")
	frames := newFrameReader(body)
	for got := 0; got < hopAfter && !w.finished(); {
		f, err := frames.next()
		if err != nil {
			return err
		}
		impatient.Reset(silence)
		got += w.take(f)
	}
	return nil
}

// take writes a frame down. It answers how many events it was.
func (w *watcher) take(f frame) int {
	switch f.event {
	case casetest.TypeReset:
		w.reset(f)
		return 0
	case casetest.TypeSnapshot:
		w.segments[len(w.segments)-1].begin = f.id
	case casetest.TypeError:
		w.world.tally.count("stream errors " + f.data)
		return 0
	case "":
	default:
		now := &w.segments[len(w.segments)-1]
		now.events = append(now.events, event{f.id, f.event, f.data})
		w.react(f)
	}
	if f.id != "" {
		w.mu.Lock()
		w.cursor = f.id
		w.mu.Unlock()
	}
	if f.event == "" {
		return 0
	}
	return 1
}

// forgetHalfReset drops a reset whose snapshot never came because the
// connection broke: the cursor is what it was, so it did not happen.
func (w *watcher) forgetHalfReset() {
	if last := len(w.segments) - 1; last > 0 && w.segments[last].begin == "" {
		w.segments = w.segments[:last]
	}
}

func (w *watcher) reset(f frame) {
	why := resetReason(w.world, f)
	w.segments = append(w.segments, segment{reset: why})
	w.world.tally.count("resets: " + why)
	if w.world.promise == nothingLost {
		w.world.wrong("session %s: reset at %s: %s", w.sid, w.cursor, f.data)
	}
}

// resetReason is why a stream can't be continued.
func resetReason(w *world, f frame) string {
	var told struct {
		Data struct{ Reason string }
	}
	if err := json.Unmarshal([]byte(f.data), &told); err != nil {
		w.wrong("a reset that can't be read: %s", f.data)
	}
	return told.Data.Reason
}

// react lets the others of the room hear of what there is to do.
func (w *watcher) react(f frame) {
	var e struct {
		BatchID string `json:"batch_id"`
		Data    struct {
			Position int
			ID       string
		}
	}
	if err := json.Unmarshal([]byte(f.data), &e); err != nil {
		w.world.wrong("session %s: an event that can't be read: %s", w.sid, f.data)
		return
	}
	switch f.event {
	case "call.dispatched":
		w.offer(job{call: position{e.BatchID, e.Data.Position}})
	case "approval.requested":
		w.offer(job{approval: e.Data.ID})
	}
}

// frame is what stands between two blank lines of a stream.
type frame struct{ id, event, data string }

// frameReader is a reader of streams that is independent of the one in the
// gateway and of other tests'.
type frameReader struct{ lines *lineReader }

func newFrameReader(r io.Reader) frameReader { return frameReader{newLineReader(r)} }

// next is the next frame that is more than a comment.
func (r frameReader) next() (frame, error) {
	var f frame
	for {
		line, err := r.lines.read()
		if err != nil {
			return frame{}, err
		}
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "":
			if line == "" && f != (frame{}) {
				return f, nil
			}
		case "id":
			f.id = value
		case "event":
			f.event = value
		case "data":
			f.data = value
		}
	}
}
