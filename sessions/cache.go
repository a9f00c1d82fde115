package sessions

import (
	"github.com/session-gateway/gateway/stream"
)

// cached is the document that this replica wrote last, or nil.
func (s *Service) cached(t stream.Topic) *document {
	d, _ := s.documents.Get(t)
	return d
}

func (s *Service) keep(d *document) {
	if d.status == statusClosed || d.weight() > maxCachedBytes {
		s.documents.Remove(d.topic)
		return
	}
	s.documents.Add(d.topic, d)
}

// weight is about how much memory a document takes beyond its constant part.
func (d *document) weight() int {
	w := len(d.state.Session.Plan.Text) + len(d.message) + 200*d.memory.size()
	for _, t := range d.tools {
		w += len(t.InputSchema) + len(t.Description)
	}
	if b := d.state.Batch; b != nil {
		w += len(b.RuntimeView)
		for i := range b.Calls {
			w += len(b.Calls[i].Arguments) + len(b.Calls[i].RuntimeView) + 512
			if r := b.Calls[i].Result; r != nil {
				w += len(r.Output)
			}
		}
	}
	return w
}
