package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/host/workspace"
)

// Config is what a host is made of.
type Config struct {
	Client  *client.Client
	Session string // its id
	HostID  string // unlike that of every other host of the session
	Chat    model.Chat
	Tools   []workspace.Tool
	Lease   time.Duration // whole seconds; 0: DefaultLease
	Log     *slog.Logger
}

// Host serves one session.
type Host struct {
	Config
	calls    *calls
	registry atomic.Int64  // the newest revision of the session's tools that was heard of
	offered  int64         // the one that the model was given; the turn's
	fence    fence         // of the lease
	loss     chan struct{} // told that the lease is over
}

// New makes a host. It does nothing until it is run.
func New(c Config) *Host {
	c.Log = c.Log.With(slog.String("session_id", c.Session), slog.String("host_id", c.HostID))
	if c.Lease == 0 {
		c.Lease = DefaultLease
	}
	h := &Host{Config: c, loss: make(chan struct{}, 1)}
	h.calls = newCalls(h)
	return h
}

// Run serves the session until it is closed, ctx ends, another host takes over
// or something fails that a retry doesn't mend. Whatever it started has ended
// when it returns.
func (h *Host) Run(ctx context.Context) error {
	l := &lease{Host: h}
	if err := l.attach(ctx); err != nil {
		return err
	}
	return errors.Join(unlessClosed(h.serve(ctx, l)), l.leave(ctx))
}

// serve runs the parts of an attached host.
func (h *Host) serve(ctx context.Context, l *lease) error {
	session, err := h.prepare(ctx)
	if err != nil {
		return err
	}
	life, end := context.WithCancel(ctx)
	defer end()
	g, life := errgroup.WithContext(life)
	f := &follower{Host: h, group: g}
	g.Go(func() error { return l.keep(life) })
	g.Go(func() error {
		defer end() // the session is closed: nothing is left to run
		return f.follow(life, session)
	})
	if err := g.Wait(); ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// prepare reads the session. One without tools is given the host's; one that has
// some keeps them: somebody chose them.
func (h *Host) prepare(ctx context.Context) (client.SessionDocument, error) {
	s, err := h.Client.Session(ctx, h.Session)
	if err != nil {
		return s, fmt.Errorf("read the session: %w", err)
	}
	if len(s.Tools) > 0 {
		return s, nil
	}
	if s, err = h.Client.SetTools(ctx, h.Session, Specs(h.Tools)); err != nil {
		return s, fmt.Errorf("declare the tools: %w", err)
	}
	return s, nil
}

// Specs are the declarations of tools.
func Specs(tools []workspace.Tool) []client.ToolSpec {
	specs := make([]client.ToolSpec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec
	}
	return specs
}
