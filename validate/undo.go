package validate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/session-gateway/gateway/client"
)

// undo is what a validation has opened and not ended yet.
type undo struct {
	batches  map[string]string // id → its session
	turn     string
	children []string
	entered  bool // the session's mode may be plan because of us
}

// openWithin is how long a request may take that opens something.
const openWithin = 30 * time.Second

// open makes a request that opens something. It is not interrupted: what it
// opened has to be known, to be ended.
func open[T any](ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openWithin)
	defer cancel()
	return request(ctx)
}

func (u *undo) opened(sid, bid string) {
	if u.batches == nil {
		u.batches = map[string]string{}
	}
	u.batches[bid] = sid
}

// putBack ends what is open and restores the mode. It has time of its own, since
// it matters most when the validation was interrupted.
func (r *run) putBack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	var errs []error
	if r.undo.turn != "" {
		_, err := r.person.CancelTurn(ctx, r.Session, r.undo.turn)
		errs = append(errs, unless(err, client.CodeTurnEnded))
	}
	for bid, sid := range r.undo.batches {
		_, err := r.key.Abort(ctx, sid, bid)
		errs = append(errs, unless(err, client.CodeSessionClosed))
	}
	for _, sid := range r.undo.children {
		errs = append(errs, unless(r.key.CloseSession(ctx, sid), client.CodeSessionClosed))
	}
	errs = append(errs, r.restoreMode(ctx))
	r.undo = undo{}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w: %w", ErrNotRestored, err)
	}
	return nil
}

// restoreMode leaves a plan mode that a probe has entered. A mode that somebody
// else has set meanwhile stays.
func (r *run) restoreMode(ctx context.Context) error {
	if !r.undo.entered {
		return nil
	}
	now, err := r.key.Session(ctx, r.Session)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if now.Status == client.SessionDocumentStatusActive && now.ApprovalMode == client.ModePlan {
		if _, err := r.person.SetMode(ctx, r.Session, r.session.ApprovalMode); err != nil {
			return fmt.Errorf("restore the mode: %w", err)
		}
	}
	r.undo.entered = false
	return nil
}

// unless drops the error that says that there is nothing to do any more.
func unless(err error, done client.Code) error {
	if client.Is(err, done) || client.Is(err, client.CodeNotFound) {
		return nil
	}
	return err
}
