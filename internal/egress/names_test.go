package egress_test

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// names is a name server that answers every question with the next of its
// addresses; the last one stays.
type names struct {
	answers []netip.Addr
	asked   atomic.Int32
}

// resolver starts the server and gives a resolver that asks nobody else.
func (n *names) resolver(t *testing.T) *net.Resolver {
	var lc net.ListenConfig
	conn, err := lc.ListenPacket(t.Context(), "udp4", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
	})
	go func() {
		defer close(done)
		n.serve(conn)
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

func (n *names) serve(conn net.PacketConn) {
	question := make([]byte, 512)
	for {
		size, from, err := conn.ReadFrom(question)
		if err != nil {
			return
		}
		if answer, err := n.answer(question[:size]); err == nil {
			_, _ = conn.WriteTo(answer, from)
		}
	}
}

func (n *names) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.Additionals = true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		i := min(int(n.asked.Add(1)), len(n.answers)) - 1
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: n.answers[i].As4()},
		}}
	}
	return m.Pack()
}
