package passes

import (
	"context"
	"strings"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

// TicketTime is how long a ticket may wait to be used: a page asks for one and
// opens its stream at once.
const TicketTime = time.Minute

// TicketPrefix starts every ticket, so that people and scanners know one.
const TicketPrefix = "gwt_"

// Ticket opens a stream once.
type Ticket struct {
	Secret    string
	ExpiresAt time.Time
}

// NewTicket makes a ticket for the stream of a session; none: the tenant's.
func (s *Store) NewTicket(ctx context.Context, c tenants.Caller, session string) (Ticket, error) {
	t := Ticket{Secret: TicketPrefix + c.Tenant + "." + newSecret(), ExpiresAt: s.expiry(c, TicketTime)}
	text, err := encode(c, t.ExpiresAt, "")
	if err != nil {
		return Ticket{}, err
	}
	key := ticketKey(c.Tenant, digest(t.Secret, session))
	return t, answered("keep ticket", s.client.Set(ctx, key, text, TicketTime).Err())
}

// OpenTicket uses a ticket up and says who opens the stream of that session;
// none: the tenant's. Shown for another stream it is [ErrUnknownPass], and is
// not used up: what it is for is part of the name that it is kept under.
func (s *Store) OpenTicket(ctx context.Context, secret, session string) (tenants.Caller, error) {
	body, ok := strings.CutPrefix(secret, TicketPrefix)
	parts, well := split(body, 1)
	if !ok || !well {
		return tenants.Caller{}, ErrUnknownPass
	}
	text, err := s.client.GetDel(ctx, ticketKey(parts[0], digest(secret, session))).Result()
	if err != nil {
		return tenants.Caller{}, answered("use ticket", err)
	}
	c, _, err := s.recall(text, parts[0])
	return c, err
}
