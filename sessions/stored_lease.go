package sessions

import (
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// fieldHost is who is attached; until when is kept beside the session.
const fieldHost = "host"

type storedHost struct {
	Host         string `json:"h"`
	Fence        int64  `json:"f"`
	Capabilities string `json:"c,omitempty"`
	TTL          int64  `json:"t"` // milliseconds
	Attached     int64  `json:"a"`
	By           string `json:"by,omitempty"`
}

// patchHost writes who is attached if that is another than before.
func (d *document) patchHost(before *document, set store.Fields) (gone []string) {
	l, was := d.state.Session.Lease, before.state.Session.Lease
	switch {
	case l == nil && was != nil:
		return []string{fieldHost}
	case l != nil && (was == nil || was.Fence != l.Fence):
		set[fieldHost] = encode(storedHost{
			Host: l.Host, Fence: l.Fence, Capabilities: l.Capabilities,
			TTL: l.TTL.Milliseconds(), Attached: millis(l.Attached), By: l.By,
		})
	}
	return nil
}

func (d *document) decodeHost(fields store.Fields) error {
	var h *storedHost
	if err := decodeField(fields, fieldHost, &h); err != nil || h == nil {
		return err
	}
	d.state.Session.Lease = &scheduler.Lease{
		Host: h.Host, Fence: h.Fence, Capabilities: h.Capabilities,
		TTL: time.Duration(h.TTL) * time.Millisecond, Attached: fromMillis(h.Attached), By: h.By,
	}
	return nil
}
