package sessions

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestMarksNeverCallAYoungEventOld writes events at random moments and compares
// what the marks call too old with when the events were written.
func TestMarksNeverCallAYoungEventOld(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		keep := time.Duration(rapid.IntRange(8, 1000).Draw(rt, "keep")) * time.Second
		now := time.Unix(1_700_000_000, 0)
		var m marks
		var written []time.Time // of event n+1
		last := uint64(0)
		for range rapid.IntRange(1, 100).Draw(rt, "commits") {
			now = now.Add(time.Duration(rapid.IntRange(0, int(keep/time.Second)/3).Draw(rt, "pause")) * time.Second)
			head, stale := uint64(len(written)), uint64(0)
			m, stale = m.pass(now, keep, head)
			for range rapid.IntRange(1, 3).Draw(rt, "events") {
				written = append(written, now)
			}
			if len(m) > marksKept+1 {
				rt.Fatalf("%d marks", len(m))
			}
			if stale > head || stale > 0 && now.Sub(written[stale-1]) < keep {
				rt.Fatalf("event %d of %d is not too old", stale, head)
			}
			last = max(last, stale)
			for n := last; n < head; n++ { // the others are young, but for a mark's distance
				if old := now.Sub(written[n]); old > keep+keep/marksKept+keep/3 {
					rt.Fatalf("event %d is kept for %v, asked for %v", n+1, old, keep)
				}
			}
		}
	})
}

func TestTheOldestOutputsGoFirst(t *testing.T) {
	t.Parallel()
	var l ledger
	for n := range maxOutputs {
		var gone []string
		l, gone = l.with([]keptOutput{{ref: fmt.Sprint(n), size: 1}})
		require.Empty(t, gone)
	}
	before := l
	l, gone := l.with([]keptOutput{{ref: "a", size: 1}, {ref: "b", size: 1}})
	require.Equal(t, []string{"0", "1"}, gone)
	require.Len(t, l, maxOutputs)
	require.Equal(t, "0", before[0].ref, "the ledger before is as it was")

	l, gone = l.with([]keptOutput{{ref: "large", size: maxOutputBytes - 2}})
	require.Len(t, gone, maxOutputs-2)
	require.Equal(t, ledger{{"a", 1}, {"b", 1}, {"large", maxOutputBytes - 2}}, l)
	require.Equal(t, l, readLedger(l.stored()))
}
