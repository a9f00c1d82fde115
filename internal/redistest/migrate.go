package redistest

import (
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"
)

// MoveSlot gives a slot without keys to another node, as resharding does: a node
// that imported a slot claims it with a new epoch, and only that is believed by
// the nodes that hear of it from others.
func (c *Cluster) MoveSlot(tb testing.TB, slot int64, to *Server) {
	tb.Helper()
	target := to.Client(tb)
	id, err := target.ClusterMyID(tb.Context()).Result()
	if err != nil {
		tb.Fatalf("ask a node for its id: %v", err)
	}
	setSlot(tb, target, slot, "IMPORTING", owner(tb, target, slot))
	setSlot(tb, target, slot, "NODE", id) // the new owner first, so that it is never without one
	for _, n := range c.Nodes {
		if n != to {
			setSlot(tb, n.Client(tb), slot, "NODE", id)
		}
	}
}

// owner is the id of the node that serves a slot.
func owner(tb testing.TB, c *redis.Client, slot int64) string {
	tb.Helper()
	shards, err := c.ClusterShards(tb.Context()).Result()
	if err != nil {
		tb.Fatalf("read the shards: %v", err)
	}
	for _, s := range shards {
		holds := func(r redis.SlotRange) bool { return r.Start <= slot && slot <= r.End }
		master := slices.IndexFunc(s.Nodes, func(n redis.Node) bool { return n.Role == "master" })
		if slices.ContainsFunc(s.Slots, holds) && master >= 0 {
			return s.Nodes[master].ID
		}
	}
	tb.Fatalf("nobody serves slot %d", slot)
	return ""
}

func setSlot(tb testing.TB, c *redis.Client, slot int64, state, node string) {
	tb.Helper()
	if err := c.Do(tb.Context(), "CLUSTER", "SETSLOT", slot, state, node).Err(); err != nil {
		tb.Fatalf("move slot %d: %v", slot, err)
	}
}
