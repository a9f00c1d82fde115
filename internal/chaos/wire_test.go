package chaos

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// bad is how connections are while a wire is slow: half of them get through
// unharmed, as on a lossy network.
var bad = []string{
	`{"name":"slow","type":"latency","toxicity":0.5,"attributes":{"latency":150,"jitter":100}}`,
	`{"name":"narrow","type":"bandwidth","toxicity":0.5,"attributes":{"rate":64}}`,
}

// toxics is the part of toxiproxy's server that a proxy needs; it serves nothing.
var toxics = sync.OnceValue(func() *toxiproxy.ApiServer {
	return toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
})

// wire is a way to a server that can be cut and made slow. Its methods are
// called by one goroutine at a time.
//
// To change a wire is to put another proxy in its place, which breaks its
// connections: toxiproxy waits for ever when a toxic is put on, or taken from,
// a connection that is just ending.
type wire struct {
	addr, to string // the near end, the far end
	proxy    *toxiproxy.Proxy
}

func newWire(tb testing.TB, to string) *wire {
	tb.Helper()
	w := &wire{addr: "127.0.0.1:0", to: to}
	if err := w.lay(nil); err != nil {
		tb.Fatal(err)
	}
	w.addr = w.proxy.Listen
	tb.Cleanup(func() { w.proxy.Stop() })
	return w
}

// lay puts a proxy in place that harms what goes through.
func (w *wire) lay(harm []string) error {
	w.proxy = toxiproxy.NewProxy(toxics(), w.to, w.addr, w.to)
	for _, toxic := range harm {
		if _, err := w.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			return fmt.Errorf("harm a wire: %w", err)
		}
	}
	if err := w.proxy.Start(); err != nil {
		return fmt.Errorf("lay a wire: %w", err)
	}
	return nil
}

// cut breaks every connection; new ones are refused.
func (w *wire) cut() error {
	w.proxy.Stop()
	return nil
}

// mend lets connections through again.
func (w *wire) mend() error {
	w.proxy.Stop()
	return w.lay(nil)
}

// slow holds back what comes through.
func (w *wire) slow() error {
	w.proxy.Stop()
	return w.lay(bad)
}
