package sessions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// BuiltSubmission is the commit of a submission, not sent.
func BuiltSubmission(s *Service, t stream.Topic, c tenants.Caller, idem Idempotency, in Submission) (store.Commit, error) {
	cmd := command[Batch]{caller: c, topic: t, idem: idem, status: httpAccepted, answer: batchAnswer}
	return built(s, t, func(ch *change) error { return ch.submit(in, "tester") }, func(ch *change, out *store.Commit) {
		out.Idempotency = cmd.record(cmd.answer(ch))
	})
}

// BuiltReport is the commit of a host's results, not sent.
func BuiltReport(s *Service, t stream.Topic, host string, results ...scheduler.HostResult) (store.Commit, error) {
	return built(s, t, func(ch *change) error {
		state, fx, err := scheduler.Report(ch.doc.env(ch), ch.doc.state, scheduler.Sender{Host: host}, results)
		ch.applyTo(state, fx)
		return err
	}, nil)
}

// BuiltClosing is the commit that closes a session, and nothing below it.
func BuiltClosing(s *Service, t stream.Topic) (store.Commit, error) {
	return built(s, t, func(ch *change) error { return s.closing(context.Background(), ch) }, nil)
}

// ErrNothingExpired says that the time that passed changes nothing.
var ErrNothingExpired = errors.New("nothing expired")

// BuiltExpiry is the commit that is made once so much time has passed since the
// last one, not sent.
func BuiltExpiry(s *Service, t stream.Topic, later time.Duration) (store.Commit, error) {
	return built(s, t, func(ch *change) error {
		ch.now = ch.before.updated.Add(later)
		if !s.timePassed(ch.before, ch.now) {
			return ErrNothingExpired
		}
		return s.expire(context.Background(), ch)
	}, nil)
}

// BuiltSaying is the commit of a text, not sent.
func BuiltSaying(s *Service, t stream.Topic, text string) (store.Commit, error) {
	return built(s, t, func(ch *change) error { return ch.say([]*saying{{Message: Message{Text: text}}}) }, nil)
}

func built(s *Service, t stream.Topic, decide func(*change) error, finish func(*change, *store.Commit)) (store.Commit, error) {
	d, err := s.current(context.Background(), t)
	if err != nil {
		return store.Commit{}, err
	}
	ch, err := s.change(d, d.clone(), s.now())
	if err != nil {
		return store.Commit{}, err
	}
	if err := decide(ch); err != nil {
		return store.Commit{}, err
	}
	out := ch.commit(s)
	if finish != nil {
		finish(ch, &out)
	}
	return out, nil
}

// Written is how many bytes a commit adds to hashes, outputs and the log.
func Written(c store.Commit) int {
	n := 0
	for _, p := range []store.Patch{c.Doc, c.Open, {Set: c.Memory.Calls}} {
		for name, value := range p.Set {
			n += len(name) + len(value)
		}
	}
	if c.Turn != nil {
		n += len(c.Turn.Text)
	}
	for ref, text := range c.Outputs {
		n += len(ref) + len(text)
	}
	for _, e := range c.Events {
		n += len(e.JSON)
	}
	return n
}

// Copy is what a replica knows of a session.
type Copy struct {
	Head    stream.ID
	State   scheduler.State
	Session Session
	Batch   *Batch
	Grants  []Grant
	Plan    Plan
	Memory  map[string]uint64 // remembered calls: which is the n-th
	Mode    string
	Message string
}

// Kept is the session as this replica keeps it after its last commit; false
// when it keeps none.
func Kept(s *Service, t stream.Topic) (Copy, bool) {
	d := s.cached(t)
	if d == nil {
		return Copy{}, false
	}
	return d.copied(), true
}

// Stored is the session as the store has it, with what it remembers of the
// calls that this replica knows.
func Stored(s *Service, t stream.Topic) (Copy, error) {
	var recall []string
	if kept := s.cached(t); kept != nil {
		recall = slices.Collect(maps.Keys(kept.memory.numbers()))
	}
	d, err := s.load(context.Background(), t, recall...)
	if err != nil {
		return Copy{}, err
	}
	return d.copied(), nil
}

func (d *document) copied() Copy {
	c := Copy{
		Head: d.head, State: d.state, Session: d.sessionView(), Grants: d.grantViews(), Plan: d.planView(),
		Memory: d.memory.numbers(), Mode: d.modeValue, Message: string(d.message),
	}
	c.State.Session.Notices = orNil(c.State.Session.Notices)
	if b := d.openBatch(); b != nil {
		view := d.batchView(b)
		c.Batch = &view
		tidy := *b
		tidy.Approvals, tidy.Notices = orNil(tidy.Approvals), orNil(tidy.Notices)
		c.State.Batch = &tidy
	}
	return c
}

// numbers are those of all calls that are known.
func (m memory) numbers() map[string]uint64 {
	out := map[string]uint64{}
	for _, calls := range []map[string]rememberedCall{m.calls, m.latest} {
		for id, call := range calls {
			out[id] = call.number
		}
	}
	return out
}

// orNil makes no difference between no list and an empty one.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// KeptBatches is the oldest batch that is kept beside so many, and the one that
// goes when another one is submitted.
func KeptBatches(batches uint64) (oldest, goes uint64) {
	d := &document{batches: batches}
	c := &change{doc: d, batch: &scheduler.Batch{Number: batches + 1}, fx: scheduler.Effects{Submitted: true}}
	oldest = d.oldestBatch()
	var out store.Commit
	c.countBatches(&out)
	return oldest, out.Drop
}

// SendWebhooks does what a sweeper does that comes to an entry.
func SendWebhooks(ctx context.Context, s *Service, t stream.Topic, at time.Time) error {
	return s.sendWebhooks(ctx, store.Due{Topic: t, Webhooks: true, At: at}, nil)
}

// Fire lets a sweeper at a deadline that it has found.
func Fire(s *Service, d store.Due) error { return s.fire(context.Background(), d) }

// SettleDue is what a sweeper does that has taken a deadline.
func SettleDue(s *Service, d store.Due) error {
	_, err := s.settleDue(context.Background(), d)
	return err
}
