//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// takeWaiting takes the connections that the system holds, without waiting for
// more. The poller may not have told of them yet.
func takeWaiting(l *net.TCPListener) (waiting []net.Conn, err error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("look for waiting connections: %w", err)
	}
	var taken []int
	err = raw.Control(func(fd uintptr) {
		for {
			c, _, err := syscall.Accept(int(fd)) // it does not block: the poller has made it so
			if err != nil {
				return
			}
			taken = append(taken, c)
		}
	})
	for _, fd := range taken {
		c, adoptErr := adopt(fd)
		if adoptErr != nil {
			err = errors.Join(err, adoptErr)
			continue
		}
		waiting = append(waiting, c)
	}
	return waiting, err
}

// adopt makes a connection of a descriptor, which it closes.
func adopt(fd int) (net.Conn, error) {
	syscall.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), "connection")
	defer func() { _ = f.Close() }() // FileConn has its own copy
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("take a waiting connection: %w", err)
	}
	return c, nil
}
