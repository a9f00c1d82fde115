package stream

import "context"

// sessionPlace is a place in one session's log.
type sessionPlace struct {
	follower
	resets patience
}

var _ place = (*sessionPlace)(nil)

func (h *Hub) sessionPlace(t *topic, c Cursor) *sessionPlace {
	return &sessionPlace{follower: h.follow(t, c)}
}

func (p *sessionPlace) topic() Topic { return p.t.key }

func (p *sessionPlace) take(buf []*frame, w *waiter) (n int, what need) {
	n, what = p.follower.take(buf, w)
	p.resets.took(n, what)
	return n, what
}

// prefix is nothing: frames of a session carry their ids.
func (p *sessionPlace) prefix(*frame) []byte { return nil }

func (p *sessionPlace) restart(ctx context.Context) (reset, error) {
	if !p.resets.left() {
		return reset{}, errUnstable
	}
	gen, why := p.broken()
	ctx, cancel := context.WithTimeout(ctx, p.hub.cfg.ReadTimeout)
	defer cancel()
	data, includes, err := p.hub.cfg.Snapshots.Snapshot(ctx, p.t.key)
	if err != nil {
		return reset{}, p.outcome(err)
	}
	r := reset{
		why: why, cursor: p.at(),
		state: data, typ: TypeSnapshot, id: includes.String(), seq: includes.Seq,
	}
	p.resets++
	p.resume(includes, gen)
	return r, nil
}

// at is the reader's place as it knows it itself.
func (p *sessionPlace) at() string {
	if p.fixed {
		return p.pos.String()
	}
	return p.cursor.String()
}

func (p *sessionPlace) id() (string, bool) { return p.pos.String(), p.fixed }

func (p *sessionPlace) live() bool { return p.cursor.kind == fromLatest }

func (p *sessionPlace) reason() Reason { return p.t.reason() }
