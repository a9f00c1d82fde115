package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// lastCall is how long a listener that closes takes connections still.
const lastCall = 50 * time.Millisecond

// listener closes without cutting anybody off. A plain one resets the
// connections that the system has taken and the program hasn't yet; their
// clients can't know that nobody read what they sent.
type listener struct {
	*net.TCPListener
	closing atomic.Bool
	waiting []net.Conn // taken at the very end; of Accept's goroutine
}

// listen binds a TCP address.
func listen(ctx context.Context, addr string) (*listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%T is no TCP listener", l), l.Close())
	}
	return &listener{TCPListener: tcp}, nil
}

// Accept gives what comes, and after Close what still waits.
func (l *listener) Accept() (net.Conn, error) {
	if len(l.waiting) > 0 {
		c := l.waiting[0]
		l.waiting = l.waiting[1:]
		return c, nil
	}
	c, err := l.TCPListener.Accept()
	if !l.closing.Load() || !errors.Is(err, os.ErrDeadlineExceeded) {
		return c, err
	}
	if l.waiting, err = l.finish(); err != nil {
		return nil, err
	}
	return l.Accept()
}

// Close begins the last call; Accept ends it.
func (l *listener) Close() error {
	if l.closing.Swap(true) {
		return nil
	}
	if err := l.SetDeadline(time.Now().Add(lastCall)); err != nil {
		return fmt.Errorf("close listener: %w", err)
	}
	return nil
}

// finish takes what waits and closes at once.
func (l *listener) finish() ([]net.Conn, error) {
	waiting, err := takeWaiting(l.TCPListener)
	return waiting, errors.Join(err, l.TCPListener.Close())
}
