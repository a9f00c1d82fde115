package scheduler

// A runtime view is a document that a host sends along for whoever runs the
// calls (which model serves them, say). It lives as long as what it is for and
// is part of no result.

// RuntimeViewOf is what the runner of an open call is shown: the call's own
// view, else its batch's; empty if there is none.
func (b *Batch) RuntimeViewOf(position int) string {
	c := &b.Calls[position]
	switch {
	case c.State == StateDone:
		return ""
	case c.RuntimeView != "":
		return c.RuntimeView
	default:
		return b.RuntimeView
	}
}

// dropView forgets the view of a call that ends.
func (t *transition) dropView(i int) {
	c := &t.b.Calls[i]
	if c.RuntimeView == "" {
		return
	}
	c.RuntimeView = ""
	t.fx.Unviewed = append(t.fx.Unviewed, i)
}
