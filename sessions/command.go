package sessions

import (
	"context"
	"errors"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// The statuses of stored answers.
const (
	httpOK       = 200
	httpCreated  = 201
	httpAccepted = 202
)

// command decides on a change; it may be run several times.
type command[T any] struct {
	caller tenants.Caller
	topic  stream.Topic
	idem   Idempotency
	status int // of the stored answer
	// reads are the stored outputs that the command will need.
	reads func(*document) []scheduler.ReadOutputArguments
	// recall are the call ids that the command looks up in the memory.
	recall []string
	// decide changes c.doc. An error refuses the request; nothing is written.
	decide func(c *change) error
	// answer is made of the document as committed, and stored.
	answer func(c *change) T
	// reveal, if set, adds to an answer what is not stored with it.
	reveal func(c *change, answer T) T
	// closed lets the command run on a closed session.
	closed bool
}

// run decides and commits until nobody else was faster. A stored answer comes
// before what is read. A try on the kept copy needs no look for one: the commit
// finds it, and what would be refused is decided again.
func run[T any](ctx context.Context, s *Service, cmd command[T]) (Reply[T], error) {
	doc, fresh := cmd.start(s)
	for range maxAttempts {
		if fresh {
			stored, err := replay[T](ctx, s, &cmd)
			if stored != nil || err != nil {
				return deref(stored), err
			}
			if doc, err = reload(ctx, s, doc, &cmd); err != nil {
				return Reply[T]{}, err
			}
		}
		reply, err := try(ctx, s, &cmd, doc, fresh)
		switch {
		case err == nil:
			return reply, nil
		case errors.Is(err, errStaleCopy), errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrClockSkew),
			errors.Is(err, store.ErrIdempotent): // a failover may take the record away again
			fresh = true
		default:
			return answerRefusal(ctx, s, &cmd, err)
		}
	}
	return Reply[T]{}, refuse(CodeBusy, "the session changes too fast; try again")
}

// From where on a kept copy is not worth a try any more, and up to where it is
// counted. Where requests go to three replicas at random, one copy in three is
// the newest: that must not make the next one worth a try. Where they stay, a few
// more reads don't matter.
const (
	oftenOvertaken = 2
	mostOvertaken  = 8
)

// start is the kept copy to begin with, and whether it has to be read anew. One
// that was overtaken again and again most likely is now: requests of its session
// go to several replicas, and a try only costs Redis a commit to refuse.
func (cmd *command[T]) start(s *Service) (doc *document, stale bool) {
	doc = s.cached(cmd.topic)
	return doc, doc == nil || doc.overtaken >= oftenOvertaken || !doc.memory.knows(cmd.recall)
}

// reload reads the document, and notes whether the copy was still the newest.
func reload[T any](ctx context.Context, s *Service, kept *document, cmd *command[T]) (*document, error) {
	doc, err := s.current(ctx, cmd.topic, cmd.recall...)
	switch {
	case err != nil || kept == nil:
	case doc.head != kept.head:
		doc.overtaken = min(kept.overtaken+1, mostOvertaken)
	default:
		doc.overtaken = kept.notOvertaken()
	}
	return doc, err
}

// notOvertaken is how often the copy counts as overtaken now that it was found to
// be the newest.
func (d *document) notOvertaken() int { return max(d.overtaken-1, 0) }

// errStaleCopy says that a refusal was decided on a kept copy: read, decide again.
var errStaleCopy = errors.New("decided on a kept copy")

func try[T any](ctx context.Context, s *Service, cmd *command[T], doc *document, fresh bool) (Reply[T], error) {
	c, err := s.change(doc, doc.clone(), s.now())
	if err != nil {
		return Reply[T]{}, err
	}
	c.actor = actorOf(cmd.caller)
	if !fresh {
		c.doc.overtaken = doc.notOvertaken() // if this commits
	}
	if !fresh && s.timePassed(doc, c.now) {
		return Reply[T]{}, errStaleCopy
	}
	if err := cmd.run(ctx, s, c); err != nil {
		if !fresh {
			return Reply[T]{}, errStaleCopy
		}
		return Reply[T]{}, err
	}
	return finish(ctx, s, cmd, c, fresh)
}

func (cmd *command[T]) run(ctx context.Context, s *Service, c *change) error {
	if !c.before.visibleTo(cmd.caller) {
		return errNotFound("session")
	}
	if c.doc.status == statusClosed && !cmd.closed {
		return refuse(CodeSessionClosed, "the session is closed")
	}
	if cmd.reads != nil {
		pages, err := s.fetch(ctx, c.doc.topic, cmd.reads(c.doc))
		if err != nil {
			return err
		}
		c.outputs = pages
	}
	return cmd.decide(c)
}

// finish commits a change and makes its answer. One that changes nothing is
// answered as it is, from what was read just now; so is one that is refused and
// leaves something behind.
func finish[T any](ctx context.Context, s *Service, cmd *command[T], c *change, fresh bool) (Reply[T], error) {
	if !fresh && (c.refusal != nil || !c.changed()) {
		return Reply[T]{}, errStaleCopy
	}
	if !c.changed() {
		value := cmd.answer(c)
		record := cmd.record(value)
		return cmd.reply(c, value), s.recordOnly(ctx, c.before, record)
	}
	commit := c.commit(s)
	value := cmd.answer(c)
	if c.refusal == nil {
		commit.Idempotency = cmd.record(value)
	}
	if err := s.commit(ctx, c, commit); err != nil {
		return Reply[T]{}, err
	}
	return cmd.reply(c, value), c.refusal
}

// reply is an answer as its caller is given it. It has been recorded before.
func (cmd *command[T]) reply(c *change, answer T) Reply[T] {
	if cmd.reveal != nil {
		answer = cmd.reveal(c, answer)
	}
	return Reply[T]{Value: answer}
}
