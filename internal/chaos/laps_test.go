package chaos

import (
	"fmt"
	"strings"
	"time"
)

// laps say where the time of a scenario goes, one part after the other.
type laps struct {
	since time.Time
	text  strings.Builder
}

func newLaps() *laps { return &laps{since: time.Now()} }

// end ends a part; the next one begins.
func (l *laps) end(part string) {
	now := time.Now()
	fmt.Fprintf(&l.text, "  %6.1fs %s\n", now.Sub(l.since).Seconds(), part)
	l.since = now
}

// String is a line per part.
func (l *laps) String() string { return l.text.String() }
