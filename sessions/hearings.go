package sessions

import (
	"context"
	"log/slog"
	"sync"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// hearings merges the verdicts on a session's calls that come in while one is
// being committed: a batch may wait for hundreds at once, and each commit of
// its own would have to beat all others. How many there are is bounded by the
// requests that a sender has in flight.
type hearings struct {
	mu   sync.Mutex
	open map[stream.Topic]*hearing
}

// hearing is the verdicts that a session's next commit takes along. There is
// one while somebody commits.
type hearing struct {
	words []heardWord
}

// heardWord is a verdict on a call of a batch.
type heardWord struct {
	batch string
	scheduler.HookWord
}

func newHearings() *hearings { return &hearings{open: map[stream.Topic]*hearing{}} }

// join adds a word, and says whether its bearer has to commit.
func (h *hearings) join(t stream.Topic, w heardWord) (leads bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	open := h.open[t]
	if open == nil {
		open, leads = &hearing{}, true
		h.open[t] = open
	}
	open.words = append(open.words, w)
	return leads
}

// take are the words that have gathered; without any the hearing is over.
func (h *hearings) take(t stream.Topic) []heardWord {
	h.mu.Lock()
	defer h.mu.Unlock()
	words := h.open[t].words
	if len(words) == 0 {
		delete(h.open, t)
		return nil
	}
	h.open[t].words = nil
	return words
}

// hearing takes the answer to a PreToolUse. A verdict that can't be committed
// is lost; the hook is asked again.
func (s *Service) hearing(t stream.Topic, batch string, n notice) func(context.Context, hooks.Answer) {
	return func(ctx context.Context, a hooks.Answer) {
		word := heardWord{batch, scheduler.HookWord{
			Position: n.Place, Hook: n.Hook, Verdict: scheduler.HookVerdict(a.Verdict), Reason: a.Reason,
		}}
		if !s.hearings.join(t, word) {
			return
		}
		for words := s.hearings.take(t); words != nil; words = s.hearings.take(t) {
			if err := s.hear(ctx, t, words); err != nil {
				s.log.WarnContext(ctx, "verdicts of hooks were not committed", append(about(t, err), slog.Int("verdicts", len(words)))...)
			}
		}
	}
}

// hear commits verdicts. Those that come too late change nothing.
func (s *Service) hear(ctx context.Context, t stream.Topic, words []heardWord) error {
	_, err := run(ctx, s, command[struct{}]{
		caller: tenants.Caller{Tenant: t.Tenant}, topic: t, reads: pendingReads,
		decide: func(ch *change) error {
			b := ch.doc.openBatch()
			if b == nil {
				return nil
			}
			var mine []scheduler.HookWord
			for _, w := range words {
				if w.batch == b.ID {
					mine = append(mine, w.HookWord)
				}
			}
			ch.apply(scheduler.HearHooks(ch.doc.env(ch), ch.doc.state, mine))
			return nil
		},
		answer: func(*change) struct{} { return struct{}{} },
	})
	if isClosed(err) {
		return nil // its calls have ended
	}
	return err
}
