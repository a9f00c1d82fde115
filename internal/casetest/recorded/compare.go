package recorded

import (
	"fmt"
	"strings"

	"github.com/session-gateway/gateway/providers"
)

// match says which recorded answer is for which call, by position in the
// message. An answer to another message's call is for none.
func match(asked []providers.Asked, then []answer) map[int]answer {
	matched := map[int]answer{}
	var left []answer
	for _, a := range then {
		if i, ok := callOf(asked, matched, a.id); ok {
			matched[i] = a
		} else {
			left = append(left, a)
		}
	}
	var nameless []int
	for i, call := range asked {
		if call.ID == "" {
			nameless = append(nameless, i)
		}
	}
	if len(nameless) == len(left) {
		for n, i := range nameless { // their ids are the client's own; their order is the message's
			matched[i] = left[n]
		}
	}
	return matched
}

// callOf finds the first call without an answer that an id stands for: its
// own, or with a prefix of the client's.
func callOf(asked []providers.Asked, matched map[int]answer, id string) (int, bool) {
	for i, call := range asked {
		if _, answered := matched[i]; answered || call.ID == "" {
			continue
		}
		if id == call.ID || strings.HasSuffix(id, ":"+call.ID) {
			return i, true
		}
	}
	return 0, false
}

// compare holds our answers, one per call in order, against the accepted ones.
func compare(ours []answer, then map[int]answer) error {
	last := -1
	for i, a := range ours {
		want, ok := then[i]
		if !ok {
			continue
		}
		switch {
		case a.kind != want.kind:
			return fmt.Errorf("answer %d is a %s, then it was a %s", i, a.kind, want.kind)
		case a.failed != want.failed:
			return fmt.Errorf("answer %d: error is %v, then it was %v", i, a.failed, want.failed)
		case !strings.Contains(a.text, want.text):
			return fmt.Errorf("answer %d says %q, then it said %q", i, a.text, want.text)
		case want.turn < last:
			return fmt.Errorf("answer %d stood before the one of an earlier call then", i)
		}
		last = want.turn
	}
	return nil
}
