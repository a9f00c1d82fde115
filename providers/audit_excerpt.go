package providers

// excerpt is the part of a conversation that answers a batch.
type excerpt struct {
	answers []any // where the results have to stand
	rest    []any // what else stands before the model's next words
	// asks are the calls of the model's entry before it; preceded says that
	// there is one, and ours that it asked for this batch.
	preceded, ours bool
}

// stretch is what follows some words of the model's, up to its next.
type stretch struct {
	preceded bool
	asks     []Asked
	follow   []any
}

func stretches(d dialogue, list []any) []stretch {
	all := []stretch{{}}
	for _, entry := range list {
		last := &all[len(all)-1]
		if !d.byModel(entry) {
			last.follow = append(last.follow, entry)
			continue
		}
		if len(last.follow) > 0 || !last.preceded {
			all = append(all, stretch{preceded: true})
			last = &all[len(all)-1]
		}
		last.asks = append(last.asks, d.asked(entry)...)
	}
	return all
}

// excerptOf finds the answer to a batch: behind the last words of the model
// that ask for its calls, else where one of its ids is answered last, else at
// the end, where everything is missing.
func excerptOf(f Format, wanted []want, list []any) excerpt {
	d := dialogues[f]
	all := joinSplit(f, stretches(d, list), wanted)
	at, ours := len(all)-1, false
	for i := len(all) - 1; i >= 0 && !ours; i-- {
		if asksFor(all[i].asks, wanted) {
			at, ours = i, true
		}
	}
	for i := len(all) - 1; i >= 0 && !ours; i-- {
		if answersAny(f, all[i].follow, wanted) {
			at = i
			break
		}
	}
	s := all[at]
	out := excerpt{answers: s.follow, preceded: s.preceded, ours: ours}
	if d.oneAnswer && len(s.follow) > 1 {
		out.answers, out.rest = s.follow[:1], s.follow[1:]
	}
	return out
}

// joinSplit takes the calls of one response together where a format lets a host
// put each answer right behind its call.
func joinSplit(f Format, all []stretch, wanted []want) []stretch {
	if f != OpenAIResponses {
		return all
	}
	ours := map[string]bool{}
	for i := range wanted {
		ours[wanted[i].key()] = true
	}
	joined := []stretch{all[0]}
	for _, s := range all[1:] {
		last := &joined[len(joined)-1]
		if allIn(last.asks, ours) && allIn(s.asks, ours) && !repeats(last.asks, s.asks) {
			last.asks, last.follow = append(last.asks, s.asks...), append(last.follow, s.follow...)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

func allIn(asks []Asked, ours map[string]bool) bool {
	for _, a := range asks {
		if !ours[answer{Asked: a}.key()] {
			return false
		}
	}
	return len(asks) > 0
}

// repeats says whether an id is asked a second time: then it is another
// response, of a server that numbers its calls anew.
func repeats(earlier, later []Asked) bool {
	seen := map[string]bool{}
	for _, a := range earlier {
		seen[a.ID] = true
	}
	for _, a := range later {
		if seen[a.ID] {
			return true
		}
	}
	return false
}

// asksFor says whether the model asked for each call that is wanted, by id or,
// where it gave none, by name.
func asksFor(asks []Asked, wanted []want) bool {
	left := map[string]int{}
	for _, a := range asks {
		left[answer{Asked: a}.key()]++
	}
	for i := range wanted {
		key := wanted[i].key()
		if left[key] == 0 {
			return false
		}
		left[key]--
	}
	return len(wanted) > 0
}

func answersAny(f Format, follow []any, wanted []want) bool {
	keys := map[string]bool{}
	for i := range wanted {
		keys[wanted[i].key()] = true
	}
	for _, a := range places[f](map[string]any{dialogues[f].list: follow}).answers {
		if keys[a.key()] {
			return true
		}
	}
	return false
}

// violations are what is wrong with where the excerpt stands.
func (e excerpt) violations(f Format) []Violation {
	var found []Violation
	if e.preceded && !e.ours {
		found = append(found, violation(ViolationMisplaced, "", "the model's message before the results does not ask for these calls"))
	}
	for _, a := range places[f](map[string]any{dialogues[f].list: e.rest}).answers {
		found = append(found, violation(ViolationMisplaced, a.ID, "a result after the turn that answers the model"))
	}
	return found
}

// texts are all texts of the excerpt that are not results.
func (e excerpt) texts(f Format) []string {
	var all []string
	for _, entries := range [][]any{e.answers, e.rest} {
		for _, entry := range entries {
			all = append(all, textsIn(member(entry, dialogues[f].parts))...)
		}
	}
	return all
}
