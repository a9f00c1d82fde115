package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/host/workspace"
)

// hostCommand is `gateway host`.
type hostCommand struct {
	URL string `default:"http://127.0.0.1:8080" help:"The gateway."`
	Key Secret `placeholder:"KEY" help:"The host's key; better given in the environment."`
	trustFlags
	Session   string        `placeholder:"SID" help:"The session to serve. Without it one is created and printed."`
	Runtime   string        `default:"core" help:"core, acp or headless: of a session that is created."`
	Workspace string        `default:"." placeholder:"DIR" help:"The folder that the tools work in; they can't leave it."`
	HostID    string        `placeholder:"ID" help:"What this host is called. Made up if not given."`
	Lease     time.Duration `default:"15s" help:"How long the gateway relies on the host without hearing of it."`
	Model     string        `required:"" placeholder:"MODEL" help:"scripted:FILE, anthropic:MODEL, openai:MODEL (also what is compatible) or gemini:MODEL."`
	ModelBase string        `placeholder:"URL" help:"Where the model is served, if not by its maker."`
	ModelKey  Secret        `env:"GATEWAY_HOST_MODEL_KEY" placeholder:"KEY" help:"The key for the model; better given in the environment."`
	System    string        `placeholder:"TEXT" default:"You are a careful software engineer. Use the tools to work in the workspace." help:"What the model is told first."`

	LogFormat string `default:"text" help:"json or text."`
	LogLevel  string `default:"info" help:"debug, info, warn or error."`
}

// The bounds of --lease, which are the gateway's.
const (
	minLease = 5 * time.Second
	maxLease = 5 * time.Minute
)

// Validate joins everything that is wrong with the flags.
func (h *hostCommand) Validate() error {
	return errors.Join(
		h.checkCert(),
		oneOf("--log-format", h.LogFormat, "json", "text"),
		oneOf("--log-level", h.LogLevel, "debug", "info", "warn", "error"),
		oneOf("--runtime", h.Runtime, "core", "acp", "headless"),
		between("--lease", h.Lease, minLease, maxLease),
	)
}

// Run serves a session until ctx ends or the session does.
func (h *hostCommand) Run(ctx context.Context) error {
	chat, err := h.chat()
	if err != nil {
		return err
	}
	c, err := h.connect(h.URL, h.Key)
	if err != nil {
		return err
	}
	work, err := workspace.Open(h.Workspace, commandEnvironment())
	if err != nil {
		return fmt.Errorf("--workspace: %w", err)
	}
	err = h.serve(ctx, host.Config{
		Client: c, Session: h.Session, HostID: h.name(), Chat: chat, Tools: work.Tools(), Lease: h.Lease.Truncate(time.Second),
		Log: newLogger(Config{LogFormat: h.LogFormat, LogLevel: h.LogLevel}, os.Stderr),
	}, work.Dir())
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // it was told to stop
	}
	return errors.Join(err, work.Close())
}

// serve makes the session if there is none, and says which it is.
func (h *hostCommand) serve(ctx context.Context, c host.Config, dir string) error {
	if c.Session == "" {
		tools := host.Specs(c.Tools)
		s, err := c.Client.CreateSession(ctx, client.SessionSpec{
			Tools: &tools, Cwd: &dir, Runtime: new(client.Runtime(h.Runtime)),
		})
		if err != nil {
			return fmt.Errorf("create a session: %w", err)
		}
		c.Session = s.ID
	}
	if err := say(os.Stdout, "gateway host serves "+c.Session); err != nil {
		return err
	}
	return host.New(c).Run(ctx)
}

// commandEnvironment is what the tools' commands are given: everything but the
// gateway's own settings, which hold keys.
func commandEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, envPrefix+"_") })
}

// name is what the host is called. A name of one's own must be unlike that of
// every other host of the session; one that is made up is.
func (h *hostCommand) name() string {
	if h.HostID != "" {
		return h.HostID
	}
	return "host-" + strings.ToLower(rand.Text()[:12])
}

// chat begins the conversation with the model that --model names.
func (h *hostCommand) chat() (model.Chat, error) {
	kind, name, _ := strings.Cut(h.Model, ":")
	at := model.Endpoint{Base: h.ModelBase, Key: string(h.ModelKey), Model: name}
	based := func(own string) model.Endpoint {
		if at.Base == "" {
			at.Base = own
		}
		return at
	}
	switch {
	case name == "":
	case kind == "scripted":
		script, err := model.ReadScript(name)
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		return model.NewScripted(script), nil
	case kind == "anthropic":
		return model.NewAnthropic(based(model.AnthropicBase), h.System), nil
	case kind == "openai":
		return model.NewOpenAI(based(model.OpenAIBase), h.System), nil
	case kind == "gemini":
		return model.NewGemini(based(model.GeminiBase), h.System), nil
	}
	return nil, fmt.Errorf("--model: %q is not scripted:FILE, anthropic:MODEL, openai:MODEL or gemini:MODEL", h.Model)
}
