package scheduler

import "regexp"

// counterID is an id that some servers number anew in every response.
var counterID = regexp.MustCompile(`^[A-Za-z_-]*[0-9]{1,4}$`)

// nameCalls gives every call its canonical name and its key.
func (t *transition) nameCalls() {
	for i := range t.b.Calls {
		c := t.touch(i)
		c.Tool = t.env.Tools.Canonical(c.Name)
		var err error
		if c.Key, err = callKey(c.Tool, c.Arguments); err != nil {
			t.malformed[i] = err
		}
	}
}

// answerDuplicates answers in place what was called before: the same id as an
// earlier call of the batch, or a replay of the last started call with that id.
// A second replay of one call rejects the batch as a loop.
func (t *transition) answerDuplicates() {
	first := make(map[string]int, len(t.b.Calls))
	replays := map[int]Remembered{}
	for i := range t.b.Calls {
		id := t.b.Calls[i].ID
		if _, again := first[id]; again {
			continue
		}
		first[id] = i
		if r, ok := t.replayed(i); ok {
			replays[i] = r
		}
	}
	for _, r := range replays {
		if r.Replays > 0 {
			t.rejectLoop(t.turnBefore)
			return
		}
	}
	for i := range t.b.Calls {
		if original := first[t.b.Calls[i].ID]; original != i {
			t.answerDuplicate(i, original)
		} else if r, replay := replays[i]; replay {
			t.answerReplay(i, r)
		}
	}
}

func (t *transition) answerDuplicate(i, original int) {
	t.finish(i, ReasonDuplicateCall, textDuplicateInBatch(original))
	t.b.Calls[i].Result.DuplicateOf = &original
}

func (t *transition) answerReplay(i int, r Remembered) {
	t.finish(i, ReasonDuplicateCall, textReplay)
	t.b.Calls[i].Result.DuplicateOfBatch = &r.BatchID
	r.Replays++
	t.fx.Remembered = append(t.fx.Remembered, r)
}

// replayed recalls the started call that this one repeats.
func (t *transition) replayed(i int) (Remembered, bool) {
	c := &t.b.Calls[i]
	if c.IDAssigned {
		return Remembered{}, false
	}
	r, ok := t.env.Memory.Recall(c.ID)
	if !ok || r.Key != c.Key {
		return Remembered{}, false
	}
	numberedAnew := counterID.MatchString(c.ID) &&
		r.ResponseID != "" && t.b.ResponseID != "" && r.ResponseID != t.b.ResponseID
	return r, !numberedAnew
}

// remember notes a started call that the host executes.
func (t *transition) remember(c *Call) {
	if c.IDAssigned {
		return
	}
	t.fx.Remembered = append(t.fx.Remembered, Remembered{
		ID: c.ID, Key: c.Key, BatchID: t.b.ID, ResponseID: t.b.ResponseID,
	})
}
