package host

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

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
	Log     *slog.Logger
}

// Host serves one session.
type Host struct {
	Config
	calls    *calls
	registry atomic.Int64 // the newest revision of the session's tools that was heard of
	offered  int64        // the one that the model was given; the turn's
}

// New makes a host. It does nothing until it is run.
func New(c Config) *Host {
	c.Log = c.Log.With(slog.String("session_id", c.Session), slog.String("host_id", c.HostID))
	h := &Host{Config: c}
	h.calls = newCalls(h)
	return h
}

// Run serves the session until it is closed, ctx ends, another host takes over
// or something fails that a retry doesn't mend. Whatever it started has ended
// when it returns.
func (h *Host) Run(ctx context.Context) error {
	session, err := h.Client.Session(ctx, h.Session)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if session, err = h.declare(ctx, session); err != nil {
		return err
	}
	life, end := context.WithCancelCause(ctx)
	defer end(nil)
	g, life := errgroup.WithContext(life)
	f := &follower{Host: h, group: g}
	g.Go(func() error {
		err := f.follow(life, session)
		end(err) // the session is closed: nothing is left to run
		return err
	})
	h.Log.Info("serving the session")
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// declare gives the host's tools to a session that has none yet. One that has
// tools keeps them: somebody chose them.
func (h *Host) declare(ctx context.Context, s client.SessionDocument) (client.SessionDocument, error) {
	if len(s.Tools) > 0 {
		return s, nil
	}
	s, err := h.Client.SetTools(ctx, s.ID, Specs(h.Tools))
	if err != nil {
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
