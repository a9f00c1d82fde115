package store

import "fmt"

const (
	// retained is how many events an open session keeps at least (design §9),
	// if none of them is too old.
	retained = 10_000
	// trimStep is how many events are dropped at a time, so that trimming costs
	// a thousandth of a call per event and nothing needs to be counted.
	trimStep = 1_000
	// maxHeld is how many events an open batch holds back at most. Beyond it
	// somebody writes and writes while a question is open; a reader that comes
	// back then gets the state by a snapshot.
	maxHeld = 100_000
)

// Retention says what of the log a commit leaves.
type Retention struct {
	Needed uint64 // the first event that must stay while a batch is open; 0: none
	Stale  uint64 // the last event that is too old to stay; 0: none
}

// firstKept is the first event that stays; 0 drops none. A log is cut when it
// crosses a step, and where events are too old.
func (c *Commit) firstKept() uint64 {
	first, head := uint64(0), c.head().Seq
	if step := head / trimStep * trimStep; c.Expect.Seq < step && step > retained {
		first = step - retained + 1
	}
	if c.Retention.Stale > 0 {
		first = max(first, c.Retention.Stale+1)
	}
	if held := c.Retention.Needed; held > 0 && held <= head && head-held < maxHeld {
		first = min(first, held)
	}
	return first
}

// trim drops old events and keeps the hash of the last one dropped.
func (p *plan) trim(c *Commit) {
	if first := c.firstKept(); first > 1 {
		p.call("TRIM", sessionKeys(c.Topic).events(), entryID(first), entryID(first-1))
	}
}

func (c *Commit) validateRetention() error {
	if c.Retention.Stale > c.Expect.Seq {
		return fmt.Errorf("check commit: %w: event %d is not in the log, and too old for it", ErrInvalid, c.Retention.Stale)
	}
	return nil
}
