package doctor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// streams makes a session and looks at its stream through the public address.
func (d *doctor) streams(ctx context.Context) {
	made, err := d.ask(ctx, http.MethodPost, "/v1/sessions", d.cfg.Key, map[string]any{"labels": map[string]string{"made-by": "gateway-doctor"}})
	if err != nil || made.status != http.StatusCreated {
		d.fail("key", fmt.Sprintf("a session can't be made: %s", said(made, err)), "give a key with the role host or frontend")
		return
	}
	var session struct{ ID string }
	if err := json.Unmarshal(made.body, &session); err != nil {
		d.fail("key", "the answer is no session: "+err.Error(), "is something else at this address?")
		return
	}
	path := "/v1/sessions/" + session.ID
	d.buffering(ctx, path)
	d.ticket(ctx, path)
	// The session goes also when the doctor was told to stop.
	if gone, err := d.ask(context.WithoutCancel(ctx), http.MethodDelete, path, d.cfg.Key, nil); err != nil || gone.status != http.StatusNoContent {
		d.warn("session", "the session "+session.ID+" could not be closed: "+said(gone, err), "close it, or let it end by itself")
	}
}

// errNoAnswer says that not even the beginning of a stream came.
var errNoAnswer = errors.New("no answer; something on the way holds it back until there is more")

func said(a answer, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", a.status, a.body)
}

// follow opens a stream and gives its lines until it ends or ctx does, which the
// caller sees to.
func (d *doctor) follow(ctx context.Context, path, key string) (lines <-chan string, refused string) {
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(patience, func() { cancel(errNoAnswer) })
	resp, err := d.send(ctx, http.MethodGet, path, key, nil) //nolint:bodyclose // whoever reads the lines closes it
	if !late.Stop() && err != nil {
		return nil, errNoAnswer.Error()
	}
	if err != nil {
		cancel(err)
		return nil, err.Error()
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close() // its status says enough
		cancel(nil)
		return nil, resp.Status
	}
	out := make(chan string)
	go func() {
		defer cancel(nil)
		defer close(out)
		defer func() { _ = resp.Body.Close() }() // it was only read
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			select {
			case out <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, ""
}

// await says whether a line with this prefix comes in time.
func await(lines <-chan string, prefix string, within time.Duration) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	for {
		select {
		case line, open := <-lines:
			if !open {
				return false
			}
			if strings.HasPrefix(line, prefix) {
				return true
			}
		case <-late.C:
			return false
		}
	}
}

// buffering causes one event and waits for it, with nothing behind it that
// would push it out of a buffer.
func (d *doctor) buffering(ctx context.Context, path string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const turnOff = "turn buffering off for streams; see deploy/nginx and deploy/haproxy"
	lines, refused := d.follow(ctx, path+"/events", d.cfg.Key)
	switch {
	case refused != "":
		d.fail("stream", refused, "look at the logs; where nothing is refused there, "+turnOff)
		return
	case !await(lines, "event: session.created", patience):
		d.fail("stream", "opens, and nothing comes", turnOff)
		return
	}
	began := time.Now()
	if a, err := d.ask(ctx, http.MethodPatch, path+"/plan", d.cfg.Key, map[string]any{"append": "a line of the doctor's"}); err != nil || a.status != http.StatusOK {
		d.fail("stream", "no event could be caused: "+said(a, err), "give a key with the role host or frontend")
		return
	}
	if !await(lines, "event: plan.updated", patience) {
		d.fail("stream", "an event was caused and did not come: something on the way buffers", turnOff)
		return
	}
	d.good("stream", "an event came %s after it was caused", time.Since(began).Round(time.Millisecond))
	if d.cfg.Quick {
		return
	}
	if !await(lines, ": heartbeat", heartbeatWithin) {
		d.fail("heartbeat", "none came: something on the way cuts or holds what is silent", "raise the proxy's read timeout over 20 s")
		return
	}
	d.good("heartbeat", "came")
}

// ticket opens the stream as a browser does: without a key, once.
func (d *doctor) ticket(ctx context.Context, path string) {
	made, err := d.ask(ctx, http.MethodPost, path+"/stream-tickets", d.cfg.Key, nil)
	if err != nil || made.status != http.StatusCreated {
		d.fail("ticket", "none is given: "+said(made, err), "look at the proxy's rules for POST /v1/…")
		return
	}
	var ticket struct{ URL string }
	if err := json.Unmarshal(made.body, &ticket); err != nil {
		d.fail("ticket", err.Error(), "is something else at this address?")
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, refused := d.follow(ctx, ticket.URL, "")
	if refused != "" || !await(lines, "event: session.created", patience) {
		d.fail("ticket", "does not open the stream: "+refused, "let the proxy pass query strings on")
		return
	}
	if _, refused := d.follow(ctx, ticket.URL, ""); refused == "" {
		d.fail("ticket", "opens the stream twice", "something on the way repeats or stores answers; turn that off for streams")
		return
	}
	d.good("ticket", "opens the stream once, without a key")
}
