package stream

import (
	"context"
	"errors"
)

// errNoTenants says that a hub was made without snapshots of tenants.
var errNoTenants = errors.New("hub has no tenant snapshots")

// tenantPlace is a place in all of a tenant's logs. Each has its own follower;
// what they take is sent in turns. A session is in one log only, so the order
// of its events is kept; sessions of different logs have no order.
type tenantPlace struct {
	hub    *Hub
	tenant string
	rights Rights
	logs   [TenantLogs]follower
	at     int  // the log that was taken from, or whose need is seen to
	fresh  bool // no cursor was brought; the state comes first
	latest bool
	resets patience
}

var _ place = (*tenantPlace)(nil)

func (h *Hub) tenantPlace(ts []*topic, r TenantRequest) *tenantPlace {
	p := &tenantPlace{
		hub: h, tenant: r.Tenant, rights: r.Rights,
		fresh: r.Cursor.kind == fromOldest, latest: r.Cursor.kind == fromLatest,
	}
	for i, t := range ts {
		p.logs[i] = h.follow(t, r.Cursor.in(i))
	}
	return p
}

func (p *tenantPlace) topic() Topic { return Topic{Tenant: p.tenant} }

// wants is the gravest need of any log. The logs are looked for before the
// state is taken, so that who comes while the store is away can be refused.
func (p *tenantPlace) wants() need {
	switch {
	case p.fresh && len(p.unset()) > 0:
		return needHistory
	case p.fresh:
		return needReset
	case p.paging():
		return needNone
	}
	gravest := needNone
	for i := range p.logs {
		if what := p.logs[i].wants(); what > gravest {
			gravest, p.at = what, i
		}
	}
	return gravest
}

// take takes from the next log that has something. Before live events come,
// every log's place has to be found: a reset would follow them.
func (p *tenantPlace) take(buf []*frame, w *waiter) (n int, what need) {
	p.logs[0].t.bell.enter(w)
	if !p.found() {
		if what = p.wants(); what > needFetch {
			return 0, what
		}
	}
	n, what = p.takeInTurn(buf, w)
	p.resets.took(n, what)
	return n, what
}

func (p *tenantPlace) takeInTurn(buf []*frame, w *waiter) (n int, gravest need) {
	next := p.at
	if !p.logs[next].paging() {
		next++
	}
	gravest = needEvents
	for i := range p.logs {
		at := (next + i) % TenantLogs
		n, what := p.logs[at].take(buf, w)
		if n > 0 {
			p.at = at
			return n, needNone
		}
		if what > gravest {
			gravest, p.at = what, at
		}
	}
	return 0, gravest
}

// prefix is the id of the stream behind a frame: a log's share is that frame,
// the others' what was taken from them.
func (p *tenantPlace) prefix(f *frame) []byte {
	v := p.vector()
	v[p.at] = f.id
	return append(v.append([]byte("id: ")), '\n')
}

func (p *tenantPlace) vector() (v Vector) {
	for i := range p.logs {
		v[i] = p.logs[i].pos
	}
	return v
}

// load reads history until there is a page to take, or none is needed.
func (p *tenantPlace) load(ctx context.Context) error {
	if err := p.learnHeads(ctx); err != nil || p.fresh {
		return err
	}
	for i := range p.logs {
		f := &p.logs[i]
		if f.wants() != needHistory {
			continue
		}
		p.at = i
		if err := f.load(ctx); err != nil || f.paging() {
			return err
		}
	}
	return nil
}

// learnHeads lets the rings that know nothing begin where their logs end, in
// one read for all of them and for all readers that come at once.
func (p *tenantPlace) learnHeads(ctx context.Context) error {
	unset := p.unset()
	if len(unset) == 0 {
		return nil
	}
	release, done, err := unset[0].open(ctx)
	if err != nil {
		return err
	}
	defer release()
	if done {
		return nil
	}
	return p.hub.learnHeads(ctx, unset)
}

// unset are the logs whose rings know nothing yet.
func (p *tenantPlace) unset() (ts []*topic) {
	for i := range p.logs {
		if t := p.logs[i].t; !t.started() {
			ts = append(ts, t)
		}
	}
	return ts
}

func (p *tenantPlace) paging() bool { return p.logs[p.at].paging() }

func (p *tenantPlace) settle(what need) { p.logs[p.at].settle(what) }

func (p *tenantPlace) restart(ctx context.Context) (reset, error) {
	if !p.resets.left() {
		return reset{}, errUnstable
	}
	r := reset{typ: TypeTenantSnapshot}
	var gens [TenantLogs]uint64
	for i := range p.logs {
		f := &p.logs[i]
		gen, why := f.broken()
		if gens[i] = gen; r.why == "" && (f.lost != "" || gen != f.gen) && !p.fresh {
			v := p.vector()
			r.why, r.cursor = why, v.String()
		}
	}
	state, err := p.hub.tenantState(ctx, p.tenant, p.rights)
	if err != nil {
		return reset{}, err
	}
	r.state, r.id = state.data, state.includes.String()
	p.fresh = false
	p.resets++
	for i := range p.logs {
		p.logs[i].resume(state.includes[i], gens[i])
	}
	return r, nil
}

// found says that the place in every log is known to exist.
func (p *tenantPlace) found() bool {
	for i := range p.logs {
		if !p.logs[i].fixed {
			return false
		}
	}
	return true
}

func (p *tenantPlace) id() (string, bool) {
	v := p.vector()
	return v.String(), p.found()
}

func (p *tenantPlace) live() bool { return p.latest }

func (p *tenantPlace) reason() Reason { return p.logs[p.at].t.reason() }
