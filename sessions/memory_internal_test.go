package sessions

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/scheduler"
)

func TestAMemoryKnowsTheLastCallWithEachId(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var m memory
		m.whole = true
		last := map[string]string{}
		for range rapid.IntRange(1, 60).Draw(rt, "batches") {
			calls := someCalls(rt)
			before, known := m, maps.Clone(m.numbers())
			m, _ = m.with(calls)
			assert.Equal(rt, known, before.numbers(), "the memory before has changed")
			for _, c := range calls {
				last[c.ID] = c.Key
			}
			for id, key := range last {
				got, ok := m.Recall(id)
				assert.True(rt, ok, "forgot %s", id)
				assert.Equal(rt, key, got.Key)
			}
			assert.LessOrEqual(rt, len(m.latest), maxLatest)
		}
	})
}

// someCalls are those of a batch; ids come again.
func someCalls(rt *rapid.T) []scheduler.Remembered {
	ids := rapid.SliceOfNDistinct(rapid.IntRange(0, 300), 0, 40, rapid.ID[int]).Draw(rt, "ids")
	out := make([]scheduler.Remembered, len(ids))
	for i, id := range ids {
		out[i] = scheduler.Remembered{ID: strconv.Itoa(id), Key: rapid.StringN(1, 8, 8).Draw(rt, "key")}
	}
	return out
}

func TestAMemoryThatIsTooLargeIsLookedUp(t *testing.T) {
	t.Parallel()
	m := memory{whole: true}
	for n := range maxWhole {
		m, _ = m.with([]scheduler.Remembered{{ID: strconv.Itoa(n)}})
		assert.True(t, m.knows([]string{"any"}))
	}
	m, _ = m.with([]scheduler.Remembered{{ID: "one more"}})
	assert.False(t, m.knows([]string{"one more"}))
	assert.Empty(t, slices.Collect(maps.Keys(m.numbers())))
	assert.Equal(t, uint64(maxWhole+1), m.next)
}
