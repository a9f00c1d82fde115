package chaos

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// deafWire is a way to Redis that can lose what a subscription is sent, without
// a trace, and let everything else through. Toxiproxy can't tell them apart.
type deafWire struct {
	listener net.Listener
	to       string
	closed   atomic.Bool // subscriptions hear nothing
	lost     atomic.Int64
	links    sync.WaitGroup
}

func newDeafWire(t *testing.T, to string) *deafWire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &deafWire{listener: l, to: to}
	d.links.Go(d.accept)
	t.Cleanup(func() {
		_ = l.Close()
		d.links.Wait() // the gateways have ended by now, and with them their connections
	})
	return d
}

func (d *deafWire) addr() string { return d.listener.Addr().String() }

// close lets subscriptions hear nothing any more.
func (d *deafWire) close() { d.closed.Store(true) }

// dropped is how many bytes were lost.
func (d *deafWire) dropped() int64 { return d.lost.Load() }

func (d *deafWire) accept() {
	for {
		near, err := d.listener.Accept()
		if err != nil {
			return // the test has ended
		}
		far, err := net.Dial("tcp", d.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		subscribed := &atomic.Bool{}
		d.links.Go(func() { d.ask(near, far, subscribed) })
		d.links.Go(func() { d.tell(far, near, subscribed) })
	}
}

// ask carries what the gateway says and notices when it subscribes.
func (d *deafWire) ask(from, to net.Conn, subscribed *atomic.Bool) {
	defer func() { _ = to.Close() }()
	_ = carry(from, func(b []byte) error {
		if bytes.Contains(bytes.ToLower(b), []byte("\r\nsubscribe\r\n")) {
			subscribed.Store(true)
		}
		_, err := to.Write(b)
		return err //nolint:wrapcheck // the link ends with it
	})
}

// tell carries what Redis says, or loses it.
func (d *deafWire) tell(from, to net.Conn, subscribed *atomic.Bool) {
	defer func() { _ = to.Close() }()
	_ = carry(from, func(b []byte) error {
		if subscribed.Load() && d.closed.Load() {
			d.lost.Add(int64(len(b)))
			return nil
		}
		_, err := to.Write(b)
		return err //nolint:wrapcheck // the link ends with it
	})
}

// carry hands on what is read until a side ends.
func carry(from io.Reader, hand func([]byte) error) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if err := hand(buf[:n]); err != nil {
				return err
			}
		}
		if err != nil {
			return err //nolint:wrapcheck // the link ends with it
		}
	}
}
