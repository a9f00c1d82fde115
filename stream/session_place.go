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
	state, err := p.hub.sessionState(ctx, p.t.key)
	if err != nil {
		return reset{}, p.outcome(err)
	}
	r := reset{
		why: why, cursor: p.at(),
		state: state.data, typ: TypeSnapshot, id: state.includes.String(), seq: state.includes.Seq,
	}
	p.resets++
	p.resume(state.includes, gen)
	return r, nil
}

// sessionState is a snapshot of a session.
type sessionState struct {
	data     []byte
	includes ID
}

// sessionState makes the snapshot, once for all readers that ask meanwhile. One
// that was begun before the history changed again is found out by its id.
func (h *Hub) sessionState(ctx context.Context, t Topic) (sessionState, error) {
	return shared(ctx, h, t.Tenant+":"+t.Session, func(ctx context.Context) (sessionState, error) {
		data, includes, err := h.cfg.Snapshots.Snapshot(ctx, t)
		return sessionState{data: data, includes: includes}, err
	})
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
