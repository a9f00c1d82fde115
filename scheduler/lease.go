package scheduler

import (
	"errors"
	"time"
)

// ErrHostFenced says that a message comes from a host that is not the attached
// one, or from an attachment that is over.
var ErrHostFenced = errors.New("host is not the attached one")

// Lease is a host's right to run the session's calls. There is at most one at
// a time, and its fence is higher than that of every lease before it.
type Lease struct {
	Host         string
	Fence        int64
	Capabilities string // JSON, the host's own words; empty if it gave none
	By           string // the subject that attached it
	TTL          time.Duration
	Attached     time.Time
	// Expires is moved by renewals, which change nothing else of the session
	// and are no commands. Zero is in the past.
	Expires time.Time
}

// Sender is the host that a message says it comes from.
type Sender struct {
	Host  string
	Fence int64 // 0: it gave none
}

// Admits judges a message of a host. While a host is attached it is the only
// one that may claim and report; without one, whoever believes to be attached
// is told that it is not.
func (s *Session) Admits(from Sender) error {
	l := s.Lease
	switch {
	case l == nil && from.Fence == 0:
		return nil
	case l == nil, l.Host != from.Host, from.Fence != 0 && from.Fence != l.Fence:
		return ErrHostFenced
	}
	return nil
}

// Attachment is a host that is to run the session's calls from now on.
type Attachment struct {
	Host         string
	Capabilities string
	By           string // the subject that attaches it
	TTL          time.Duration
}

// Attach gives the lease to a host, whoever had it before: the newer attachment
// wins, also of the same host. What others have claimed is lost by it, with a
// lease or without.
func Attach(env Env, s State, a Attachment) (State, Effects) {
	t, out := begin(env, s)
	t.loseHost(LossReplaced)
	t.abandonClaims()
	t.s.Fences++
	t.s.Lease = &Lease{
		Host: a.Host, Fence: t.s.Fences, Capabilities: a.Capabilities, By: a.By,
		TTL: a.TTL, Attached: env.Now, Expires: env.Now.Add(a.TTL),
	}
	t.fx.Attached = true
	t.advance()
	return *out, t.fx
}

// Detach ends the lease of a host that leaves.
func Detach(env Env, s State, from Sender) (State, Effects, error) {
	if s.Session.Lease == nil || s.Session.Admits(from) != nil {
		return s, Effects{}, ErrHostFenced
	}
	t, out := begin(env, s)
	t.loseHost(LossDetached)
	t.abandonClaims()
	t.advance()
	return *out, t.fx, nil
}

// expireLease ends a lease that was not renewed in time.
func (t *transition) expireLease() {
	if l := t.s.Lease; l != nil && !l.Expires.After(t.env.Now) {
		t.loseHost(LossExpired)
		t.abandonClaims()
	}
}

// loseHost ends the lease, if there is one.
func (t *transition) loseHost(why Loss) {
	l := t.s.Lease
	if l == nil {
		return
	}
	t.s.Lease = nil
	t.fx.Lost = &HostLoss{Host: l.Host, Fence: l.Fence, Reason: why}
}

// abandonClaims ends what has been started and will not be heard of again.
// What is only offered stays so, its time goes on, and from now on it is
// offered to any host, also where the batch's sender was to run it.
func (t *transition) abandonClaims() {
	if t.b == nil || t.b.Status != BatchRunning {
		return
	}
	t.b.Abandoned = true
	for i := range t.b.Calls {
		if t.b.Calls[i].State == StateClaimed {
			t.finish(i, ReasonHostLost, textHostLost)
		}
	}
}
