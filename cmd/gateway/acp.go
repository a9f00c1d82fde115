package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/session-gateway/gateway/acp"
)

// acpCommand is `gateway acp`: what an editor starts.
type acpCommand struct {
	URL string `default:"http://127.0.0.1:8080" help:"The gateway."`
	trustFlags
	Key      Secret        `placeholder:"KEY" help:"A key with the role frontend; better given in the environment."`
	Session  string        `placeholder:"SID" help:"The session that the editor works in. Without it each new one is created."`
	HostWait time.Duration `default:"15s" help:"How long a prompt goes without a host before it fails."`

	LogFormat string `default:"text" help:"json or text; to standard error, where editors keep it."`
	LogLevel  string `default:"info" help:"debug, info, warn or error."`
}

// The bounds of --host-wait: a host needs a moment to attach, and nobody waits
// for longer than a coffee.
const (
	minHostWait = time.Second
	maxHostWait = 10 * time.Minute
)

// Validate joins everything that is wrong with the flags.
func (a *acpCommand) Validate() error {
	return errors.Join(
		a.checkCert(),
		oneOf("--log-format", a.LogFormat, "json", "text"),
		oneOf("--log-level", a.LogLevel, "debug", "info", "warn", "error"),
		between("--host-wait", a.HostWait, minHostWait, maxHostWait),
	)
}

// Run speaks with an editor on standard input and output until it closes them or
// ctx ends.
func (a *acpCommand) Run(ctx context.Context) error {
	c, err := a.connect(a.URL, a.Key)
	if err != nil {
		return err
	}
	return acp.Serve(ctx, acp.Config{
		Client: c, Session: a.Session, HostWait: a.HostWait, Version: currentBuild().Version,
		Log: newLogger(Config{LogFormat: a.LogFormat, LogLevel: a.LogLevel}, os.Stderr),
	}, os.Stdin, os.Stdout)
}
