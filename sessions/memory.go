package sessions

import (
	"maps"

	"github.com/session-gateway/gateway/scheduler"
)

// MaxRemembered is how many started calls a session remembers for telling
// replays from new calls.
const MaxRemembered = 4096

// MaxGrants is how many grants a session holds; further ones are not remembered.
const MaxGrants = 1000

// maxRecent is how many calls are kept apart from the rest, so that a start
// copies a small map and not the whole memory.
const maxRecent = 64

// memory is the started calls that a later batch may repeat, by id. It is a
// value: with gives a new one and leaves the old as it was.
type memory struct {
	settled map[string]rememberedCall
	recent  map[string]rememberedCall // beats settled
	next    uint64                    // number of the next call to be remembered
}

type rememberedCall struct {
	scheduler.Remembered
	number uint64
}

// Recall is the last started call with an id.
func (m memory) Recall(id string) (scheduler.Remembered, bool) {
	c := m.held(id)
	return c.Remembered, c.ID != "" && m.remembers(c)
}

// held is a call that is remembered.
func (m memory) held(id string) rememberedCall {
	if c, ok := m.recent[id]; ok {
		return c
	}
	return m.settled[id]
}

func (m memory) remembers(c rememberedCall) bool { return c.number+MaxRemembered >= m.next }

// with is the memory with more calls, and the ids that are forgotten by it.
func (m memory) with(calls []scheduler.Remembered) (out memory, forgotten []string) {
	if len(calls) == 0 {
		return m, nil
	}
	out = memory{settled: m.settled, recent: maps.Clone(m.recent), next: m.next}
	if out.recent == nil {
		out.recent = make(map[string]rememberedCall, len(calls))
	}
	for _, c := range calls {
		out.recent[c.ID] = rememberedCall{Remembered: c, number: out.next}
		out.next++
	}
	if len(out.recent) > maxRecent {
		forgotten = out.settle()
	}
	return out, forgotten
}

// settle merges what is recent into the rest and drops what is too old.
func (m *memory) settle() (forgotten []string) {
	all := make(map[string]rememberedCall, len(m.settled)+len(m.recent))
	maps.Copy(all, m.settled)
	maps.Copy(all, m.recent)
	for id, c := range all {
		if !m.remembers(c) {
			delete(all, id)
			forgotten = append(forgotten, id)
		}
	}
	m.settled, m.recent = all, nil
	return forgotten
}

// grantsView answers the scheduler's question about grants.
type grantsView map[string]grant

// Granted says whether a person allowed exactly this for the session.
func (g grantsView) Granted(tool, fingerprint, key string) bool {
	held, ok := g[grantID(tool, fingerprint, key)]
	return ok && held.Tool == tool && held.Fingerprint == fingerprint && held.Key == key
}

func grantID(tool, fingerprint, key string) string {
	return "grt_" + shortHash(tool, fingerprint, key)
}
