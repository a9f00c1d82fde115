package acp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	sdk "github.com/coder/acp-go-sdk"
)

// session is one that a client has open. A goroutine follows it and tells what
// happens; prompts wait for what that goroutine hears.
type session struct {
	*agent
	id   string
	stop context.CancelCauseFunc // ends the following
	life context.Context         //nolint:containedctx // the following's

	caughtUp chan struct{} // closed when the client knows what was there
	done     chan struct{} // closed when nothing is followed any more; err says why
	err      error

	turns    chan struct{} // holds a token while a prompt is served: one at a time
	starting sync.Mutex    // of own; held while a turn is started, so that it is known before it is heard of
	own      string        // the turn of the prompt that is served

	mu      sync.Mutex // of what follows
	heard   signal     // told of changes of ending and hosted
	ending  *TurnEnd
	hosted  bool
	pending map[string]context.CancelFunc // the questions that are put
}

// errDropped ends the following of a session that was closed or opened anew.
var errDropped = errors.New("the session is not followed here any more")

// open follows a session from now on, and answers when the client knows what was
// there. What is followed already begins again.
func (a *agent) open(ctx context.Context, sid string, from Begin) (*sdk.SessionModeState, error) {
	s := a.follow(sid, from) //nolint:contextcheck // it outlives the request
	select {
	case <-s.caughtUp:
		doc, err := a.Client.Session(ctx, sid) // now: a change from here on is heard of
		return modes(doc), refusal("read the session", err)
	case <-s.done:
		a.drop(s)
		return nil, refusal("open the session", s.err)
	case <-ctx.Done():
		a.drop(s)
		return nil, ctx.Err()
	}
}

// follow starts the goroutine of a session, in place of an older one.
func (a *agent) follow(sid string, from Begin) *session {
	life, stop := context.WithCancelCause(a.life)
	s := &session{
		agent: a, id: sid, stop: stop, life: life, caughtUp: make(chan struct{}), done: make(chan struct{}),
		turns: make(chan struct{}, 1), heard: newSignal(), pending: map[string]context.CancelFunc{},
	}
	a.mu.Lock()
	older := a.sessions[sid]
	a.sessions[sid] = s
	a.mu.Unlock()
	if older != nil {
		a.end(older)
	}
	a.group.Go(func() error {
		s.run(from)
		return nil
	})
	return s
}

// drop follows a session no longer.
func (a *agent) drop(s *session) {
	a.mu.Lock()
	if a.sessions[s.id] == s {
		delete(a.sessions, s.id)
	}
	a.mu.Unlock()
	a.end(s)
}

// end stops a session's goroutine and waits for it.
func (a *agent) end(s *session) {
	s.stop(errDropped)
	<-s.done
}

// opened is a session that this client has opened.
func (a *agent) opened(id sdk.SessionId) (*session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.sessions[string(id)]; ok {
		return s, nil
	}
	return nil, &sdk.RequestError{Code: invalidParams, Message: fmt.Sprintf("session %q is not open here: session/new or session/load comes first", id)}
}

// run tells the client what happens until nothing more will.
func (s *session) run(from Begin) {
	defer close(s.done)
	defer s.stop(nil)
	for u, err := range Follow(s.life, s.Client, s.id, from) {
		if err == nil {
			err = s.take(u)
		}
		if err != nil {
			s.err = err
			break
		}
	}
	switch cause := context.Cause(s.life); {
	case cause != nil:
		s.err = cause
	case s.err == nil:
		s.err = errClosed
	default:
		s.Log.Error("the session is not followed any more", slog.String("session_id", s.id), slog.Any("error", s.err))
	}
}

// errClosed says that nothing more will happen in a session.
var errClosed = errors.New("the session is closed")

// take acts on one update.
func (s *session) take(u Update) error {
	switch u := u.(type) {
	case Notice:
		return s.tell(u.SessionUpdate)
	case Prompted:
		return s.prompted(u)
	case Ask:
		s.ask(u)
	case Withdrawal:
		s.withdraw(u.ApprovalID)
	case TurnEnd:
		s.hear(func() { s.ending = &u })
	case HostChange:
		s.hear(func() { s.hosted = u.Attached })
	case CaughtUp:
		close(s.caughtUp)
	}
	return nil
}

// tell sends a session/update.
func (s *session) tell(u sdk.SessionUpdate) error {
	return s.conn.SessionUpdate(s.life, sdk.SessionNotification{SessionId: sdk.SessionId(s.id), Update: u})
}

// prompted shows a prompt that was given elsewhere or before. The client's own
// it has on its screen.
func (s *session) prompted(p Prompted) error {
	s.starting.Lock()
	own := s.own == p.TurnID
	s.starting.Unlock()
	if own {
		return nil
	}
	for _, u := range p.Notices() {
		if err := s.tell(u); err != nil {
			return err
		}
	}
	return nil
}

// hear changes what prompts wait for.
func (s *session) hear(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.heard.send()
}

// signal wakes all who wait for a change. It is used under its owner's mutex.
type signal struct{ c chan struct{} }

func newSignal() signal { return signal{make(chan struct{})} }

func (s *signal) send() {
	close(s.c)
	s.c = make(chan struct{})
}
