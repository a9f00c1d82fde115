package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/session-gateway/gateway/stream"
)

// ErrLeaseOver says that there is no such lease, or that it has run out.
var ErrLeaseOver = errors.New("lease is over")

// Lease is until when a host may be relied on. It is kept beside the session,
// so that a renewal is one round trip and no event.
type Lease struct {
	Host    string
	Fence   int64
	TTL     time.Duration // what a renewal gives, to the millisecond
	Expires time.Time
}

// LeaseChange replaces a session's lease in a commit.
type LeaseChange struct {
	To *Lease // nil: there is none any more
	// Checked: the commit was decided because From, the lease as it was read,
	// had run out (nil: was missing). If it was renewed since, it is ErrConflict.
	Checked bool
	From    *Lease
}

// Renew moves the end of a host's lease to its TTL from now, in one round
// trip. A lease that has run out can't be renewed, also before anybody noticed:
// ErrLeaseOver.
func (s *Store) Renew(ctx context.Context, t stream.Topic, host string, fence int64) (*Lease, error) {
	text, err := leaseScript.Run(ctx, s.client, []string{sessionKeys(t).lease()},
		host, strconv.FormatInt(fence, 10)).Text()
	if err != nil {
		return nil, outage("renew lease", err)
	}
	l, err := decodeLease(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("renew lease: %w: %w", ErrUnavailable, err)
	case l == nil:
		return nil, fmt.Errorf("renew lease: %w", ErrLeaseOver)
	}
	return l, nil
}

// encodeLease is the stored form, as lease.lua reads it; "" is no lease.
func encodeLease(l *Lease) string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", l.Fence, l.TTL.Milliseconds(), l.Expires.UnixMilli(), l.Host)
}

func decodeLease(text string) (*Lease, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	parts := strings.SplitN(text, " ", 4)
	var numbers [3]int64
	for i := range numbers {
		if len(parts) != 4 {
			return nil, fmt.Errorf("decode lease: %d parts", len(parts))
		}
		n, err := strconv.ParseInt(parts[i], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("decode lease: %w", err)
		}
		numbers[i] = n
	}
	return &Lease{
		Host: parts[3], Fence: numbers[0], TTL: time.Duration(numbers[1]) * time.Millisecond,
		Expires: time.UnixMilli(numbers[2]).UTC(),
	}, nil
}

// lease adds what a commit does to the session's lease.
func (p *plan) lease(c *Commit) {
	if c.Lease == nil {
		return
	}
	key := sessionKeys(c.Topic).lease()
	if c.Lease.To == nil {
		p.call("DEL", key)
		return
	}
	p.call("SET", key, encodeLease(c.Lease.To))
}

// checks are the keys that must hold what the commit saw in them.
func (p *plan) checks(c *Commit) []any {
	k := sessionKeys(c.Topic)
	args := make([]any, 0, 2*len(c.Ancestors)+3)
	n := len(c.Ancestors)
	if c.Lease != nil && c.Lease.Checked {
		n++
		args = append(args, p.key(k.lease()), encodeLease(c.Lease.From))
	}
	for _, a := range c.Ancestors {
		args = append(args, p.key(k.of(a.Session).mode()), a.Mode)
	}
	return append([]any{n}, args...)
}
