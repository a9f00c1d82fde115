package sessions

import (
	"maps"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// MaxRemembered is how many started calls a session remembers for telling
// replays from new calls. They are stored in two generations of as many.
const MaxRemembered = 4096

// MaxGrants is how many grants a session holds; further ones are not remembered.
const MaxGrants = 1000

// maxWhole is up to how many calls a replica keeps a session's whole memory
// beside its document. Beyond, the ids of a submission are looked up.
const maxWhole = 1024

// maxLatest is how many calls a batch has to copy at most to add its own: they
// are put to the others when there are more.
const maxLatest = 64

// memory is the started calls that a later batch may repeat, as far as a
// command needs to know them. It is a value: with gives a new one and leaves
// the old as it was.
type memory struct {
	calls  map[string]rememberedCall // those that are known, by id, but for the latest
	latest map[string]rememberedCall // their word counts
	whole  bool                      // there are no others
	asked  map[string]bool           // ids that were looked up, found or not
	next   uint64                    // number of the next call to be remembered
}

type rememberedCall struct {
	scheduler.Remembered
	number uint64
}

// Recall is the last started call with an id.
func (m memory) Recall(id string) (scheduler.Remembered, bool) {
	c, ok := m.latest[id]
	if !ok {
		c, ok = m.calls[id]
	}
	return c.Remembered, ok && c.number+MaxRemembered >= m.next
}

// size is about how many calls are known.
func (m memory) size() int { return len(m.calls) + len(m.latest) }

// knows says whether nothing has to be looked up for these ids.
func (m memory) knows(ids []string) bool {
	if m.whole {
		return true
	}
	for _, id := range ids {
		if !m.asked[id] {
			return false
		}
	}
	return true
}

// with is the memory with more calls, and how they are stored.
func (m memory) with(calls []scheduler.Remembered) (memory, store.Remember) {
	if len(calls) == 0 {
		return m, store.Remember{}
	}
	last := m.next + uint64(len(calls)) - 1
	stored := store.Remember{Calls: store.Fields{}, Generation: last / MaxRemembered}
	stored.Begins = m.next > 0 && stored.Generation != (m.next-1)/MaxRemembered
	out := m
	out.latest = make(map[string]rememberedCall, len(m.latest)+len(calls))
	maps.Copy(out.latest, m.latest)
	for _, c := range calls {
		out.latest[c.ID] = rememberedCall{Remembered: c, number: out.next}
		stored.Calls[c.ID] = encode(storedMemory{
			Key: c.Key, BatchID: c.BatchID, ResponseID: c.ResponseID, Replays: c.Replays, Number: out.next,
		})
		out.next++
	}
	return out.bounded(), stored
}

// bounded is the memory with no more of the latest than are copied each time,
// and no more in all than are kept.
func (m memory) bounded() memory {
	switch {
	case m.size() > maxWhole:
		return memory{next: m.next}
	case len(m.latest) > maxLatest:
		calls := make(map[string]rememberedCall, m.size())
		maps.Copy(calls, m.calls)
		maps.Copy(calls, m.latest)
		m.calls, m.latest = calls, nil
	}
	return m
}

// decodeMemory takes what was looked up; the newer generation's word counts.
func (d *document) decodeMemory(found [2]store.Fields, asked []string) error {
	d.memory.whole = d.memory.next == 0
	d.memory.asked = make(map[string]bool, len(asked))
	for _, id := range asked {
		d.memory.asked[id] = true
	}
	d.memory.calls = make(map[string]rememberedCall, len(found[0])+len(found[1]))
	for _, fields := range found {
		for id := range fields {
			var m storedMemory
			if err := decodeField(fields, id, &m); err != nil {
				return err
			}
			if m.Number < d.memory.calls[id].number {
				continue
			}
			d.memory.calls[id] = rememberedCall{number: m.Number, Remembered: scheduler.Remembered{
				ID: id, Key: m.Key, BatchID: m.BatchID, ResponseID: m.ResponseID, Replays: m.Replays,
			}}
		}
	}
	return nil
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
