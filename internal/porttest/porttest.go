// Package porttest finds ports for servers that tests have to tell theirs, and
// for those that come back at the address they had.
//
// Servers that choose a port themselves and say which need none of this.
package porttest

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports lie below those that systems give to connections: else a server that is
// down for a while may find its port taken by one when it comes back. Those that
// follow (see Free) have to lie there too.
const (
	first = 10_000
	last  = 22_767
)

// Addr is an address of loopback that nobody listens on.
func Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(Free())) }

// Free is a port of loopback that nobody listens on, and that has no listener so
// many ports above either, where a server takes those unasked. Another process
// may take it, so who starts a server makes sure that it is what answers.
func Free(above ...int) int {
	for {
		port := first + rand.IntN(last-first+1) //nolint:gosec // spreads servers, guards nothing
		if !taken(port) && !anyTaken(port, above) {
			return port
		}
	}
}

func anyTaken(port int, above []int) bool {
	for _, n := range above {
		if taken(port + n) {
			return true
		}
	}
	return false
}

// taken binds a port for a moment.
func taken(port int) bool {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return true
	}
	return l.Close() != nil
}
