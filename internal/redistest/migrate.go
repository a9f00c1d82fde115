package redistest

import (
	"slices"
	"testing"
)

// MoveSlot gives a slot without keys to another node, as resharding does: a node
// that imported a slot claims it with a new epoch, and only that is believed by
// the nodes that hear of it from others.
func (c *Cluster) MoveSlot(tb testing.TB, slot int64, to *Server) {
	tb.Helper()
	ids := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		id, err := n.Client(tb).Do(tb.Context(), "CLUSTER", "MYID").Text()
		if err != nil {
			tb.Fatalf("ask a node for its id: %v", err)
		}
		ids[i] = id
	}
	from, target := c.owner(tb, slot), slices.Index(c.Nodes, to)
	setSlot(tb, to, slot, "IMPORTING", ids[from])
	setSlot(tb, c.Nodes[from], slot, "MIGRATING", ids[target])
	setSlot(tb, to, slot, "NODE", ids[target]) // the new owner first, so that it is never without one
	for _, n := range c.Nodes {
		if n != to {
			setSlot(tb, n, slot, "NODE", ids[target])
		}
	}
}

// owner is the index of the node that serves a slot.
func (c *Cluster) owner(tb testing.TB, slot int64) int {
	tb.Helper()
	shares, err := c.Nodes[0].Client(tb).ClusterSlots(tb.Context()).Result()
	if err != nil {
		tb.Fatalf("read the slots: %v", err)
	}
	for _, share := range shares {
		if int64(share.Start) <= slot && slot <= int64(share.End) {
			return slices.IndexFunc(c.Nodes, func(n *Server) bool { return n.Addr() == share.Nodes[0].Addr })
		}
	}
	tb.Fatalf("nobody serves slot %d", slot)
	return -1
}

func setSlot(tb testing.TB, n *Server, slot int64, state, node string) {
	tb.Helper()
	if err := n.Client(tb).Do(tb.Context(), "CLUSTER", "SETSLOT", slot, state, node).Err(); err != nil {
		tb.Fatalf("move slot %d: %v", slot, err)
	}
}
