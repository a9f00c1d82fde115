package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is readers of event streams, as cheap as a client can be: a socket, a
// shared count, no parsing beyond the frames' data lines.
type crowd struct {
	seen   atomic.Int64 // data lines of all readers
	bytes  atomic.Int64 // of all readers
	opened atomic.Int64
	conns  []net.Conn
	wg     sync.WaitGroup
}

// dataLine begins the payload of a frame.
var dataLine = []byte("\ndata: ")

// arriving is how many readers are let in at a time: what is measured is what
// streams take that are open, not a crowd at the door.
const arriving = 16

// admit waits until all but a few of n readers have their headers.
func (c *crowd) admit(ctx context.Context, n int) error {
	return await(ctx, func() bool { return n-int(c.opened.Load()) < arriving })
}

// open connects n readers over HTTP/1.1 and waits until each has its headers.
func (c *crowd) open(ctx context.Context, p *process, n int) error {
	for i := range n {
		if err := c.admit(ctx, i); err != nil {
			return err
		}
		if err := c.connect(ctx, p); err != nil {
			return err
		}
	}
	return await(ctx, func() bool { return int(c.opened.Load()) == n })
}

// openOne connects one more reader and waits until it has its headers.
func (c *crowd) openOne(ctx context.Context, p *process) error {
	if err := c.connect(ctx, p); err != nil {
		return err
	}
	return spin(ctx, func() bool { return int(c.opened.Load()) == len(c.conns) })
}

func (c *crowd) connect(ctx context.Context, p *process) error {
	conn, err := c.ask(ctx, p)
	if err != nil {
		return err
	}
	c.wg.Go(func() { c.read(conn) })
	return nil
}

// ask opens a connection and asks for the stream on it.
func (c *crowd) ask(ctx context.Context, p *process) (net.Conn, error) {
	u, err := url.Parse(p.base)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	c.conns = append(c.conns, conn)
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n", p.path, u.Host, key)
	return conn, err
}

func (c *crowd) read(r io.Reader) {
	buf := make([]byte, 4<<10)
	kept := 0 // of the last read, so that a line cut in two is found
	first := true
	for {
		n, err := r.Read(buf[kept:])
		if n > 0 && first {
			first = false
			c.opened.Add(1)
		}
		c.bytes.Add(int64(n))
		text := buf[:kept+n]
		if hits := bytes.Count(text, dataLine); hits > 0 {
			c.seen.Add(int64(hits))
			text = text[bytes.LastIndex(text, dataLine)+len(dataLine):]
		}
		kept = copy(buf, text[max(0, len(text)-len(dataLine)+1):])
		if err != nil {
			return
		}
	}
}

// eventSize is how many bytes came for an event.
func (c *crowd) eventSize() float64 { return float64(c.bytes.Load()) / float64(c.seen.Load()) }

// close ends all readers.
func (c *crowd) close() {
	for _, conn := range c.conns {
		_ = conn.Close() // it is being given up
	}
	c.wg.Wait()
}

// h2 opens n streams over HTTP/2 without TLS, so many a connection.
func (c *crowd) h2(ctx context.Context, p *process, n, perConn int) (func(), error) {
	ctx, cancel := context.WithCancel(ctx)
	var transports []*http.Transport
	for i := range n {
		if i%perConn == 0 {
			protocols := new(http.Protocols)
			protocols.SetUnencryptedHTTP2(true)
			transports = append(transports, &http.Transport{Protocols: protocols})
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+p.path, nil)
		if err != nil {
			cancel()
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := transports[len(transports)-1].RoundTrip(req)
		if err != nil {
			cancel()
			return nil, err
		}
		c.wg.Go(func() {
			defer resp.Body.Close()
			c.read(resp.Body)
		})
	}
	done := func() {
		cancel()
		c.wg.Wait()
		for _, t := range transports {
			t.CloseIdleConnections()
		}
	}
	return done, await(ctx, func() bool { return int(c.opened.Load()) == n })
}

// awaitLimit bounds every wait of the driver.
const awaitLimit = 2 * time.Minute

// await polls a condition.
func await(ctx context.Context, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, awaitLimit)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting took too long: %w", ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

// openDeaf connects a reader that asks and then never reads.
func (c *crowd) openDeaf(ctx context.Context, p *process) error {
	_, err := c.ask(ctx, p)
	return err
}
