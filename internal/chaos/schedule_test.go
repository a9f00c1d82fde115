package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Between two strikes. They overlap, but not on the same target.
const (
	shortestGap = 300 * time.Millisecond
	longestGap  = 1500 * time.Millisecond
)

// fault is something that can happen to one of several targets.
type fault struct {
	kind    string
	target  string // what is struck
	targets int
	// lasts is how long it lasts at least and at most.
	lasts [2]time.Duration
	// respite is how long its target is left alone afterwards: to heal, and to
	// work for a while.
	respite      time.Duration
	strike, heal func(ctx context.Context, target int) error
}

// slow says whether it takes long to heal: then it is nothing for the end.
func (f fault) slow() bool { return f.respite >= afterDrain }

// blow is one entry of the schedule.
type blow struct {
	fault
	at, lasting time.Duration
	on          int
}

func (b blow) String() string {
	return fmt.Sprintf("%7.3fs %s for %v", b.at.Seconds(), b.what(), b.lasting)
}

func (b blow) what() string { return fmt.Sprintf("%s of %s", b.kind, b.victim()) }

// victim is what is struck; two strikes on the same one wait for each other.
func (b blow) victim() string { return fmt.Sprintf("%s %d", b.target, b.on) }

// deck deals faults. Every kind comes once before one comes twice, but for
// those whose target still has its respite: they are next when it is over.
type deck struct {
	chance *rand.Rand
	faults []fault
	length time.Duration
	due    []fault
	alone  map[string]time.Duration // until when a victim is left alone
}

// schedule draws blows for a time.
func schedule(chance *rand.Rand, faults []fault, length time.Duration) []blow {
	var blows []blow
	d := deck{chance: chance, faults: faults, length: length, alone: map[string]time.Duration{}}
	for at := d.gap(); at < length; at += d.gap() {
		if b, ok := d.deal(at); ok {
			blows = append(blows, b)
		}
	}
	return blows
}

// deal is the next blow; none if every target has its respite.
func (d *deck) deal(at time.Duration) (blow, bool) {
	if b, ok := d.pick(at); ok {
		return b, true
	}
	for _, i := range d.chance.Perm(len(d.faults)) {
		d.due = append(d.due, d.faults[i])
	}
	return d.pick(at)
}

// pick takes the first fault that is due and may strike.
func (d *deck) pick(at time.Duration) (blow, bool) {
	for i, f := range d.due {
		b := blow{
			fault: f, at: at.Round(time.Millisecond), on: d.chance.IntN(f.targets),
			lasting: d.between(f.lasts[0], f.lasts[1]).Round(time.Millisecond),
		}
		if d.alone[b.victim()] > at || f.slow() && at > d.length*3/4 {
			continue
		}
		d.alone[b.victim()] = at + b.lasting + f.respite
		d.due = slices.Delete(d.due, i, i+1)
		return b, true
	}
	return blow{}, false
}

func (d *deck) gap() time.Duration { return d.between(shortestGap, longestGap) }

func (d *deck) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.chance.Int64N(int64(high-low)+1))
}

// script is a schedule to be printed.
func script(blows []blow) string {
	var text strings.Builder
	for _, b := range blows {
		fmt.Fprintln(&text, " ", b)
	}
	return text.String()
}
