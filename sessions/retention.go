package sessions

import (
	"slices"
	"time"

	"github.com/session-gateway/gateway/sessions/store"
)

// marksKept is how many marks a session has at most. Events go when the mark
// behind them is old enough, so they stay up to an eighth longer than asked.
const marksKept = 8

// mark says that events up to seq are as old as at, or older.
type mark struct {
	seq uint64
	at  time.Time
}

// marks is where a log stood at some moments, oldest first. Entries of the log
// are numbered, not timed; these few say where its old part ends.
type marks []mark

// pass drops the marks whose events are older than keep, and answers the last
// of those events. It adds a mark for a log that has come to seq.
func (m marks) pass(now time.Time, keep time.Duration, seq uint64) (next marks, stale uint64) {
	for len(m) > 0 && now.Sub(m[0].at) >= keep {
		stale, m = m[0].seq, m[1:]
	}
	if len(m) == 0 || now.Sub(m[len(m)-1].at) >= keep/marksKept {
		m = append(slices.Clip(m), mark{seq: seq, at: now})
	}
	return m, stale
}

// stored is the form in which marks are kept.
func (m marks) stored() (out []storedMark) {
	for _, k := range m {
		out = append(out, storedMark{Seq: k.seq, At: millis(k.at)})
	}
	return out
}

func readMarks(stored []storedMark) (m marks) {
	for _, k := range stored {
		m = append(m, mark{seq: k.Seq, at: fromMillis(k.At)})
	}
	return m
}

// retain says what of the log stays behind this commit: what is young enough,
// and whatever the open batch with its questions has told.
func (c *change) retain(keep time.Duration, out *store.Commit) {
	d := c.doc
	if c.fx.Submitted {
		d.batchFrom = out.Expect.Seq + 1
	}
	if d.openBatch() == nil {
		d.batchFrom = 0
	}
	out.Retention.Needed = d.batchFrom
	if keep <= 0 || c.before == nil {
		d.marks = nil
		return
	}
	d.marks, out.Retention.Stale = d.marks.pass(c.now, keep, out.Expect.Seq)
}
