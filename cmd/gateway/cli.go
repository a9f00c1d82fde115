package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/validate"
)

// envPrefix starts the environment variable of every flag: --log-level is
// also GATEWAY_LOG_LEVEL.
const envPrefix = "GATEWAY"

// commandLine is the program's grammar.
type commandLine struct {
	Serve    serveCommand    `cmd:"" help:"Serve the API."`
	Host     hostCommand     `cmd:"" help:"Run an agent that serves a session."`
	Validate validateCommand `cmd:"" help:"Say whether a deployment and the host of a session behave."`
	Acp      acpCommand      `cmd:"" help:"Be an agent of the Agent Client Protocol on standard input and output, for editors."`
	Audit    auditCommand    `cmd:"" help:"Export and verify audit logs."`
	Tenants  tenantsCommand  `cmd:"" help:"Create, list, erase and export tenants."`
	Keys     keysCommand     `cmd:"" help:"Create, list, rotate and revoke keys."`
	Doctor   doctorCommand   `cmd:"" help:"Look at a deployment from inside and say what to change."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

// options are how the grammar is read, for main and for the tests.
func options() []kong.Option {
	return []kong.Option{
		kong.Name("gateway"),
		kong.Description("A session gateway for AI agents."),
		kong.DefaultEnvars(envPrefix),
		kong.Vars{"validatePrompt": validate.DefaultPrompt},
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	}
}

// exitUsage is what a wrong command line ends with, be it by a flag or by a
// variable. Scripts of `gateway validate` and others are told the same: it could
// not be run.
const exitUsage = 2

// serveCommand is `gateway serve`.
type serveCommand struct {
	Config // kong calls its Validate once all flags are read
}

// Run serves until ctx ends.
func (s *serveCommand) Run(ctx context.Context, grammar *kong.Kong) error {
	log := newLogger(s.Config, os.Stderr)
	redis.SetLogger(redisNotes{log})
	warnOfUnknown(log, unknownSettings(grammar.Model, os.Environ()))
	app, err := Open(ctx, s.Config, log)
	if err != nil {
		return err
	}
	if s.Dev {
		err = say(os.Stdout, app.welcome())
	}
	// Run also closes what Open opened, so it is called in any case.
	return errors.Join(err, app.Run(ctx))
}

// versionCommand is `gateway version`.
type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error { return say(os.Stdout, "gateway "+currentBuild().String()) }

// say writes a line for people.
func say(w io.Writer, line string) error {
	if _, err := fmt.Fprintln(w, line); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
