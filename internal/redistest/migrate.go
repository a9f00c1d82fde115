package redistest

import (
	"testing"

	"github.com/redis/go-redis/v9"
)

// MoveSlot gives a slot without keys to another node, as resharding does.
func (c *Cluster) MoveSlot(tb testing.TB, slot int64, to *Server) {
	tb.Helper()
	target := to.Client(tb)
	id, err := target.Do(tb.Context(), "CLUSTER", "MYID").Text()
	if err != nil {
		tb.Fatalf("ask a node for its id: %v", err)
	}
	setSlot(tb, target, slot, id) // the new owner first, so that it is never without one
	for _, n := range c.Nodes {
		if n != to {
			setSlot(tb, n.Client(tb), slot, id)
		}
	}
}

func setSlot(tb testing.TB, c *redis.Client, slot int64, owner string) {
	tb.Helper()
	if err := c.Do(tb.Context(), "CLUSTER", "SETSLOT", slot, "NODE", owner).Err(); err != nil {
		tb.Fatalf("move slot %d: %v", slot, err)
	}
}
