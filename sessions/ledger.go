package sessions

import (
	"slices"

	"github.com/session-gateway/gateway/sessions/store"
)

// The outputs that a session keeps; the oldest go first. One response of a
// model brings at most 256, and one output has at most 4 MiB.
const (
	maxOutputs     = 512
	maxOutputBytes = 64 << 20
)

// keptOutput is a stored output.
type keptOutput struct {
	ref  string
	size int
}

// ledger is the outputs that a session keeps, in the order in which they came.
type ledger []keptOutput

// with is the ledger with more outputs, and the refs that go for them.
func (l ledger) with(more []keptOutput) (next ledger, gone []string) {
	next = append(slices.Clip(l), more...)
	total := 0
	for _, o := range next {
		total += o.size
	}
	for len(next) > maxOutputs || total > maxOutputBytes {
		total -= next[0].size
		gone, next = append(gone, next[0].ref), next[1:]
	}
	return next, gone
}

// stored is the form in which a ledger is kept.
func (l ledger) stored() (out []storedOutput) {
	for _, o := range l {
		out = append(out, storedOutput{Ref: o.ref, Size: o.size})
	}
	return out
}

func readLedger(stored []storedOutput) (l ledger) {
	for _, o := range stored {
		l = append(l, keptOutput{ref: o.Ref, size: o.Size})
	}
	return l
}

// store writes the outputs of this commit and drops those that are too many.
func (c *change) store(out *store.Commit) {
	if len(c.fx.Stored) == 0 {
		return
	}
	more := make([]keptOutput, len(c.fx.Stored))
	out.Outputs = make(map[string][]byte, len(more))
	for i, o := range c.fx.Stored {
		more[i] = keptOutput{ref: o.Ref, size: len(o.Text)}
		out.Outputs[o.Ref] = []byte(o.Text)
	}
	c.doc.outputs, out.DropOutputs = c.doc.outputs.with(more)
}
