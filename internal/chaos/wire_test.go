package chaos

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// The ways in which a connection is bad. Half of the connections get through
// unharmed while a wire is slow, as on a lossy network.
const (
	slowness = `{"name":"slow","type":"latency","toxicity":0.5,"attributes":{"latency":150,"jitter":100}}`
	crawling = `{"name":"crawl","type":"bandwidth","toxicity":0.5,"attributes":{"rate":64}}`
)

// toxics is the part of toxiproxy's server that a proxy needs; it serves nothing.
var toxics = sync.OnceValue(func() *toxiproxy.ApiServer {
	return toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
})

// wire is a way to a server that can be cut and made slow.
type wire struct {
	proxy *toxiproxy.Proxy
	addr  string // the near end
}

func newWire(tb testing.TB, to string) wire {
	tb.Helper()
	proxy := toxiproxy.NewProxy(toxics(), to, "127.0.0.1:0", to)
	if err := proxy.Start(); err != nil {
		tb.Fatalf("start a proxy: %v", err)
	}
	tb.Cleanup(proxy.Stop)
	return wire{proxy, proxy.Listen}
}

// cut breaks every connection; new ones are refused.
func (w wire) cut() error {
	w.proxy.Stop()
	return nil
}

// mend lets connections through again.
func (w wire) mend() error {
	if err := w.proxy.Start(); err != nil {
		return fmt.Errorf("mend a wire: %w", err)
	}
	return nil
}

// slow holds back what comes through.
func (w wire) slow() error {
	for _, toxic := range []string{slowness, crawling} {
		if _, err := w.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			return fmt.Errorf("slow a wire down: %w", err)
		}
	}
	return nil
}

// quicken undoes slow.
func (w wire) quicken() error {
	ctx, cancel := context.WithTimeout(context.Background(), healWithin)
	defer cancel()
	for _, toxic := range []string{"slow", "crawl"} {
		if err := w.proxy.Toxics.RemoveToxic(ctx, toxic); err != nil {
			return fmt.Errorf("quicken a wire: %w", err)
		}
	}
	return nil
}
