package sessions

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

const (
	// maxKicked is how many sessions wait to have their webhooks sent right after
	// their commits. When there are more, sweepers come to them a little later.
	maxKicked = 1024
	// kickWorkers is how many are looked at at a time.
	kickWorkers = 4
)

// kick has a session's webhooks sent now: its commit has just left some.
func (s *Service) kick(t stream.Topic, left *store.Outbox) {
	if left == nil || s.hooks == nil {
		return
	}
	select {
	case s.kicked <- store.Due{Topic: t, Webhooks: true, At: left.At}:
	default: // it is in the store
	}
}

// sendKicked sends webhooks of sessions that were kicked, until ctx ends.
func (s *Service) sendKicked(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case d := <-s.kicked:
			if err := s.sendWebhooks(ctx, d, s.cached(d.Topic)); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "webhooks were not sent; they will be tried again", about(d.Topic, err)...)
			}
		}
	}
}

func about(t stream.Topic, err error) []any {
	return []any{slog.String("tenant", t.Tenant), slog.String("session_id", t.Session), slog.Any("error", err)}
}

// sendWebhooks takes a session's entry and gives all that the session has to
// tell to the sender; the entry comes back when that is to be tried again. doc
// may be a kept copy, or nil.
func (s *Service) sendWebhooks(ctx context.Context, d store.Due, doc *document) error {
	if doc == nil {
		var err error
		if doc, err = s.load(ctx, d.Topic); isNotFound(err) {
			_, err = s.store.Take(ctx, d, time.Time{})
			return err
		} else if err != nil {
			return err
		}
	}
	untold, err := s.store.Untold(ctx, d.Topic)
	if err != nil {
		return err
	}
	w := &outgoing{s: s, doc: doc, now: s.now(), set: s.settings(d.Topic.Tenant), batches: map[uint64]batchAt{}}
	taken, err := s.store.Take(ctx, d, w.next(untold))
	if err != nil || !taken {
		return err
	}
	w.ask()
	return w.tell(ctx, untold)
}

// outgoing is a session's webhooks on their way to the sender.
type outgoing struct {
	s       *Service
	doc     *document
	now     time.Time
	set     *tenants.Settings
	batches map[uint64]batchAt // those that were read
}

// next is when the session is looked at again; zero: when its next commit says so.
func (w *outgoing) next(untold []store.Untold) time.Time {
	next := nextAsk(w.doc.openBatch(), w.now)
	for _, u := range untold {
		next = earlier(next, toldAgain(u.Since, w.now))
	}
	return next
}

// hook is one of the tenant's hooks; nil: there is none such any more.
func (w *outgoing) hook(id string) *tenants.Hook {
	if i := slices.IndexFunc(w.set.Hooks, func(h tenants.Hook) bool { return h.ID == id }); i >= 0 {
		return &w.set.Hooks[i]
	}
	return nil
}

// ask asks the hooks that calls wait for.
func (w *outgoing) ask() {
	b := w.doc.openBatch()
	if b == nil {
		return
	}
	for i := range b.Calls {
		for _, h := range b.Calls[i].Hooks {
			hook := w.hook(h.ID)
			waits := b.Calls[i].State == scheduler.StateAwaitingHook && h.Verdict == "" && h.Deadline.After(w.now)
			if !waits || hook == nil {
				continue
			}
			n := notice{Event: tenants.HookPreToolUse, Hook: h.ID, Batch: b.Number, Place: i}
			w.s.hooks.Send(hooks.Message{
				Tenant: w.doc.topic.Tenant, Hook: *hook, Event: n.Event, ID: webhookID(n, b.ID),
				Body: w.doc.webhookBody(b, n), For: h.Deadline.Sub(w.now), Done: w.s.hearing(w.doc.topic, b.ID, n),
			})
		}
	}
}

// tell sends notifications; what nobody is to be told any more goes.
func (w *outgoing) tell(ctx context.Context, untold []store.Untold) error {
	for _, u := range untold {
		keep, err := w.tellOne(ctx, u)
		if err != nil {
			return err
		}
		if keep {
			continue
		}
		if err := w.s.store.Told(ctx, w.doc.topic, u.Entry); err != nil {
			return err
		}
	}
	return nil
}

// tellOne sends a notification, and says whether it is to be kept.
func (w *outgoing) tellOne(ctx context.Context, u store.Untold) (keep bool, err error) {
	n, err := readNotice(u.Entry)
	if err != nil {
		return false, nil //nolint:nilerr // an entry that nobody can read is not told
	}
	hook, over := w.hook(n.Hook), passed(u.Since.Add(tellFor), w.now)
	switch {
	case hook == nil: // gone, or this replica has not heard of it yet
		return !over, nil
	case over:
		w.s.log.WarnContext(ctx, "webhook was given up", slog.String("tenant", w.doc.topic.Tenant),
			slog.String("session_id", w.doc.topic.Session), slog.String("hook", n.Hook), slog.String("event", string(n.Event)))
		return false, nil
	}
	at, err := w.find(ctx, n.Batch)
	if isNotFound(err) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	topic, entry := w.doc.topic, u.Entry
	w.s.hooks.Send(hooks.Message{
		Tenant: topic.Tenant, Hook: *hook, Event: n.Event, ID: webhookID(n, at.batch.ID),
		Body: w.doc.webhookBody(at.batch, n), For: hookTimeout(hook),
		Done: func(ctx context.Context, _ hooks.Answer) {
			if err := w.s.store.Told(ctx, topic, entry); err != nil {
				w.s.log.WarnContext(ctx, "webhook may be sent again", about(topic, err)...)
			}
		},
	})
	return true, nil
}

// find is a batch of the session, read once.
func (w *outgoing) find(ctx context.Context, number uint64) (batchAt, error) {
	if at, ok := w.batches[number]; ok {
		return at, nil
	}
	at, err := w.s.find(ctx, w.doc, number)
	if err == nil {
		w.batches[number] = at
	}
	return at, err
}
