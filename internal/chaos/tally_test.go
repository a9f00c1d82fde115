package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// tally counts what happened, by name.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) count(name string) { t.add(name, 1) }

func (t *tally) add(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[name] += n
}

// String is a line per name.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.counts)) {
		fmt.Fprintf(&text, "  %7d %s\n", t.counts[name], name)
	}
	return text.String()
}
