package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAListenerThatClosesTakesWhoWaits(t *testing.T) {
	t.Parallel()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := &listener{TCPListener: tcp}
	const clients = 3
	for range clients {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, c.Close()) })
	}
	waiting, err := l.finish() // nobody has called Accept
	require.NoError(t, err)
	require.Len(t, waiting, clients)
	for _, c := range waiting {
		require.NoError(t, c.Close())
	}
}

func TestAListenerEndsWithItsLastCall(t *testing.T) {
	t.Parallel()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := &listener{TCPListener: tcp}
	require.NoError(t, l.Close())
	require.NoError(t, l.Close(), "again")
	late, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, late.Close()) })

	c, err := l.Accept()
	require.NoError(t, err, "who comes within the last call is served")
	require.NoError(t, c.Close())
	_, err = l.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
	_, err = net.Dial("tcp", l.Addr().String())
	require.Error(t, err)
}
