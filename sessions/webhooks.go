package sessions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// How long hooks are waited for, and told.
const (
	// DefaultHookTimeout is how long a PreToolUse may take to answer where its
	// hook says nothing else.
	DefaultHookTimeout = 10 * time.Second
	// tellAgainAfter is when a notification is sent again first; each further gap
	// is twice the one before.
	tellAgainAfter = 5 * time.Second
	// tellFor is how long a notification is tried: long enough for a restart of
	// the receiver, short enough that what it hears is still news.
	tellFor = time.Hour
)

// askAgain are the parts of the time that a hook has after which it is asked
// again. The gaps double, and the last leaves time for an answer.
var askAgain = []float64{1. / 8, 3. / 8, 7. / 8}

// HookSender sends webhooks. It may drop any: what matters is given to it again.
type HookSender interface {
	Send(m hooks.Message) bool
}

// notice is a notification that a commit leaves in the outbox. What it tells is
// read from the session when it is sent.
type notice struct {
	Event tenants.HookEvent `json:"e"`
	Hook  string            `json:"h"`
	Batch uint64            `json:"b"`
	Place int               `json:"p"` // a call's position, or the index of an approval
}

func readNotice(entry string) (notice, error) {
	var n notice
	err := json.Unmarshal([]byte(entry), &n)
	return n, err
}

// preToolUse are the hooks that calls are put to.
func preToolUse(set *tenants.Settings) []scheduler.Hook {
	var out []scheduler.Hook
	for _, h := range set.Hooks {
		if !slices.Contains(h.Events, tenants.HookPreToolUse) {
			continue
		}
		out = append(out, scheduler.Hook{ID: h.ID, Timeout: hookTimeout(&h), OnTimeout: scheduler.HookVerdict(h.OnTimeout)})
	}
	return out
}

// hookTimeout is how long a hook may take to answer.
func hookTimeout(h *tenants.Hook) time.Duration {
	return cmp.Or(time.Duration(h.TimeoutMS)*time.Millisecond, DefaultHookTimeout)
}

// outbox is what a commit leaves to be told outside, written with it.
func (c *change) outbox() *store.Outbox {
	var entries []string
	for _, h := range c.tenant.settings.Hooks {
		for _, event := range h.Events {
			for _, place := range c.happened(event) {
				entries = append(entries, encode(notice{Event: event, Hook: h.ID, Batch: c.batch.Number, Place: place}))
			}
		}
	}
	if len(entries) == 0 && len(c.fx.Hooked) == 0 {
		return nil
	}
	at := c.now.Add(tellAgainAfter)
	return &store.Outbox{Entries: entries, At: earlier(nextAsk(c.batch, c.now), at)}
}

// happened are the places in the batch at which the commit has an event.
func (c *change) happened(event tenants.HookEvent) (places []int) {
	switch event {
	case tenants.HookPostToolUse:
		for _, i := range c.fx.Ended {
			if !c.batch.Calls[i].Started.IsZero() {
				places = append(places, i)
			}
		}
	case tenants.HookPostToolBatch:
		if c.fx.Completed && c.doc.spec.Runtime != scheduler.RuntimeACP {
			places = append(places, 0)
		}
	case tenants.HookApprovalRequested:
		return c.fx.Raised
	case tenants.HookPreToolUse: // the calls themselves say that they wait
	}
	return places
}

// nextAsk is when the hooks that calls wait for are asked again; zero: not any more.
func nextAsk(b *scheduler.Batch, now time.Time) (next time.Time) {
	if b == nil {
		return next
	}
	for i := range b.Calls {
		c := &b.Calls[i]
		if c.State != scheduler.StateAwaitingHook {
			continue
		}
		for _, h := range c.Hooks {
			if h.Verdict == "" {
				next = earlier(next, askedAgain(c.HooksAsked, h.Deadline, now))
			}
		}
	}
	return next
}

func askedAgain(asked, deadline, now time.Time) time.Time {
	for _, part := range askAgain {
		at := asked.Add(time.Duration(part * float64(deadline.Sub(asked)))).Truncate(time.Millisecond)
		if at.After(now) {
			return at
		}
	}
	return time.Time{}
}

// toldAgain is when a notification is sent again, or given up.
func toldAgain(since, now time.Time) time.Time {
	end := since.Add(tellFor)
	gap := tellAgainAfter
	for at := since.Add(gap); at.Before(end); at = at.Add(gap) {
		if at.After(now) {
			return at
		}
		gap *= 2
	}
	return end
}

// webhookID names a webhook. It follows from what it tells, so that every
// replica gives it the same.
func webhookID(n notice, batch string) string {
	sum := sha256.New()
	for _, part := range []string{string(n.Event), n.Hook, batch, strconv.Itoa(n.Place)} {
		sum.Write([]byte(part + "\n"))
	}
	return "msg_" + hex.EncodeToString(sum.Sum(nil)[:16])
}
