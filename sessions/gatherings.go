package sessions

import (
	"context"
	"sync"
	"time"
)

// sayTimeout is how long the commit of a gathering may take. It goes on when
// the client that leads it has left: others wait for it.
const sayTimeout = 30 * time.Second

// gatherings merges the texts of a turn that come in on this replica while a
// commit of that turn is in flight: they go into the next commit together. A
// text alone is committed at once. Nobody is told that a text is kept before
// its commit stands.
type gatherings struct {
	mu   sync.Mutex
	open map[string]*gathering // by turn: takes more texts
	last map[string]*gathering // by turn: the latest, in flight or before it
}

// gathering is the texts that go into one commit, in the order in which they
// came. They belong to whoever holds the mutex until it is taken off the open
// ones, then to its leader, and after done to all who wait for it.
type gathering struct {
	texts []*saying
	size  int
	ahead <-chan struct{} // closed when the commit before has ended; nil: there is none
	done  chan struct{}
	err   error
}

// saying is one text and what is told of it.
type saying struct {
	Message
	refused *Problem
	said    Said
}

func newGatherings() *gatherings {
	return &gatherings{open: map[string]*gathering{}, last: map[string]*gathering{}}
}

// say commits a text, alone or with others of the same turn.
func (g *gatherings) say(ctx context.Context, turn string, m Message, commit func(context.Context, []*saying) error) (Said, error) {
	mine := &saying{Message: m}
	group, leads := g.join(turn, mine)
	if leads {
		g.lead(context.WithoutCancel(ctx), turn, group, commit)
	}
	select {
	case <-group.done:
	case <-ctx.Done():
		return Said{}, refuse(CodeUnavailable, "the request was given up before its text was kept")
	}
	switch {
	case group.err != nil:
		return Said{}, group.err
	case mine.refused != nil:
		return Said{}, mine.refused
	}
	return mine.said, nil
}

// join adds a text to the gathering that is open, or opens the next.
func (g *gatherings) join(turn string, s *saying) (group *gathering, leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	group = g.open[turn]
	if group == nil || group.size+len(s.Text) > MaxDeltaBytes {
		group, leads = &gathering{done: make(chan struct{})}, true
		if before := g.last[turn]; before != nil {
			group.ahead = before.done
		}
		g.open[turn], g.last[turn] = group, group
	}
	group.texts, group.size = append(group.texts, s), group.size+len(s.Text)
	return group, leads
}

// lead waits for the commit ahead and makes this one.
func (g *gatherings) lead(ctx context.Context, turn string, group *gathering, commit func(context.Context, []*saying) error) {
	if group.ahead != nil {
		<-group.ahead
	}
	g.mu.Lock()
	if g.open[turn] == group {
		delete(g.open, turn)
	}
	g.mu.Unlock()
	defer g.settle(turn, group)
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	group.err = commit(ctx, group.texts)
}

func (g *gatherings) settle(turn string, group *gathering) {
	g.mu.Lock()
	if g.last[turn] == group {
		delete(g.last, turn)
	}
	g.mu.Unlock()
	close(group.done)
}
