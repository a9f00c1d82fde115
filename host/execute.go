package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/session-gateway/gateway/client"
)

const (
	// timeMargin is what of a call's time is left to report in, so that what a
	// command printed before it was ended is not lost; timeShare bounds it
	// where the time is short.
	timeMargin = time.Second
	timeShare  = 4
	// lastWords is how long a host that is stopped takes to report the calls
	// that it ended and to leave.
	lastWords = 5 * time.Second
)

var errTimeout = errors.New("its time was over")

// serve claims a call, runs it and reports what came of it.
func (c *calls) serve(ctx context.Context, at place) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil
	}
	call, err := c.claim(ctx, at)
	if err != nil || call == nil {
		return c.unlessOver(ctx, at, err)
	}
	output, err := c.execute(ctx, call)
	if over(ctx) {
		c.Log.Info("a call was ended", attrs(at, call.Tool)...)
		return nil // the gateway has its result
	}
	return c.report(ctx, at, result(at, output, err))
}

// claim asks for a call. It gives nil for one that this host is not to run.
func (c *calls) claim(ctx context.Context, at place) (*client.Call, error) {
	claims, err := c.Client.Claim(ctx, c.Session, at.batch, client.ClaimRequest{
		HostID: c.HostID, Fence: new(c.fence.Load()), Positions: &[]int{at.position},
	})
	if err != nil {
		return nil, fmt.Errorf("claim a call: %w", err)
	}
	if len(claims) != 1 || !claims[0].Granted || !c.grant(at) {
		c.Log.Info("a call was not granted", attrs(at, "")...)
		return nil, nil //nolint:nilnil // that it is not ours is an answer
	}
	return &claims[0].Call, nil
}

// execute runs a call's tool under the call's time.
func (c *calls) execute(ctx context.Context, call *client.Call) (string, error) {
	if call.TimeoutS != nil && *call.TimeoutS > 0 {
		limit := time.Duration(*call.TimeoutS) * time.Second
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit-min(timeMargin, limit/timeShare), errTimeout)
		defer cancel()
	}
	for _, t := range c.Tools {
		if t.Spec.Name == call.Tool {
			return t.Run(ctx, call.Arguments)
		}
	}
	return "", fmt.Errorf("this host has no tool %s", call.Tool)
}

// result is what a host reports of a call.
func result(at place, output string, err error) client.HostResult {
	if err == nil {
		return client.HostResult{Position: &at.position, Status: client.HostResultStatusSuccess, Output: output}
	}
	r := client.HostResult{Position: &at.position, Status: client.HostResultStatusError, Output: output}
	r.Error = &struct {
		Message string `json:"message"`
	}{shorten(err.Error())}
	return r
}

// maxErrorMessage is what the gateway takes of an error's message, in
// characters.
const maxErrorMessage = 65536

// shorten keeps the end of a long message: a command's last lines say why it
// failed.
func shorten(s string) string {
	r := []rune(s)
	return string(r[max(0, len(r)-maxErrorMessage):])
}

// report sends a result. A host that is being stopped still says what became
// of its calls.
func (c *calls) report(ctx context.Context, at place, r client.HostResult) error {
	ctx, cancel := outliving(ctx)
	defer cancel()
	_, err := c.Client.Report(ctx, c.Session, at.batch, client.ResultReport{
		HostID: &c.HostID, Fence: new(c.fence.Load()), Results: []client.HostResult{r},
	})
	return c.unlessOver(ctx, at, err)
}

// outliving is ctx, or where that is over because the host is stopped, a little
// time more.
func outliving(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil || over(ctx) {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), lastWords)
}

// over says whether the gateway has a call's result already, or will make it.
func over(ctx context.Context) bool {
	why := context.Cause(ctx)
	return errors.Is(why, errCallOver) || errors.Is(why, errLeaseOver)
}

// settled are the problems that say that a call is not this host's to run or to
// report: the gateway has decided about it, and the events tell what.
var settled = []client.Code{
	client.CodeCallNotDispatched, client.CodeCallHeld, client.CodeCallLate, client.CodeResultConflict,
	client.CodeSessionClosed, client.CodeNotFound, client.CodeHostFenced,
}

// unlessOver drops the errors of a call that has ended or is another host's.
func (c *calls) unlessOver(ctx context.Context, at place, err error) error {
	if ctx.Err() != nil {
		err = nil // it was ended from outside
	}
	for _, code := range settled {
		if client.Is(err, code) {
			c.Log.Info("a call is settled already", append(attrs(at, ""), slog.String("code", string(code)))...)
			return nil
		}
	}
	return err
}

func attrs(at place, tool string) []any {
	return []any{slog.String("batch_id", at.batch), slog.Int("position", at.position), slog.String("tool", tool)}
}
