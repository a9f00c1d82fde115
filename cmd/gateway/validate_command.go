package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/session-gateway/gateway/validate"
)

// validateCommand is `gateway validate`.
type validateCommand struct {
	URL []string `default:"http://127.0.0.1:8080" help:"The deployment; several addresses, with commas, if replicas have their own."`
	trustFlags
	Key         Secret          `required:"" placeholder:"KEY" help:"A key with the roles host and frontend; better given in the environment."`
	ApproverKey Secret          `placeholder:"KEY" help:"Another person's key, which approves a plan; better given in the environment."`
	Session     string          `required:"" placeholder:"SID" help:"The session whose host is validated."`
	Observe     time.Duration   `placeholder:"10m" help:"Only watch for so long, and judge what happens."`
	ProbeTool   string          `placeholder:"NAME" help:"The tool that the host is let run. Without it read-only tools are chosen."`
	ProbeArgs   json.RawMessage `placeholder:"JSON" help:"Its arguments."`
	CanaryWrite string          `placeholder:"NAME JSON" help:"A writing call, as in: write_file {\"file_path\":\"{canary}\",\"content\":\"{canary}\"}. A conforming host never runs it."`
	CanaryRead  string          `placeholder:"NAME JSON" help:"A reading call that shows whether it was run."`
	Prompt      string          `default:"${validatePrompt}" placeholder:"TEXT" help:"What the host's model is asked. It should enter plan mode beside other calls."`
	Turn        bool            `default:"true" negatable:"" help:"Prompt the host once."`
	Patience    time.Duration   `default:"30s" help:"How long a host may take for a call."`
	TurnTimeout time.Duration   `default:"5m" help:"How long a host may take for a turn."`
	ClaimWithin time.Duration   `default:"10s" help:"How long an idle host may take to claim what it is offered."`
	JSON        bool            `help:"Print the report as JSON."`
	JUnit       string          `name:"junit" placeholder:"FILE" help:"Also write the report as JUnit XML."`
}

// Exit codes of a validation.
const (
	exitViolations = 1
	exitNotRun     = 2
)

// exitError ends the program with a code.
type exitError struct {
	error
	code int
}

// ExitCode is the code.
func (e *exitError) ExitCode() int { return e.code }

// Unwrap is what went wrong.
func (e *exitError) Unwrap() error { return e.error }

// What a validation ends with.
var (
	errViolations = errors.New("the deployment violates what it promises")
	errNotShown   = errors.New("nothing could be shown")
)

// Validate joins everything that is wrong with the flags.
func (v *validateCommand) Validate() error {
	return errors.Join(v.checkCert(), v.config(nil).Validate())
}

// Run validates and says what came of it.
func (v *validateCommand) Run(ctx context.Context) error {
	transport, err := v.transport()
	if err != nil {
		return &exitError{err, exitNotRun}
	}
	report, err := validate.Run(ctx, v.config(&http.Client{Transport: transport}))
	return verdict(report, errors.Join(err, v.write(report)))
}

func (v *validateCommand) config(h *http.Client) validate.Config {
	c := validate.Config{
		HTTP:  h,
		Bases: v.URL, Key: string(v.Key), ApproverKey: string(v.ApproverKey), Session: v.Session, Observe: v.Observe,
		Probe:  validate.Probe{Tool: v.ProbeTool, Arguments: v.ProbeArgs},
		Canary: validate.Canary{Write: namedCall(v.CanaryWrite), Read: namedCall(v.CanaryRead)}, Prompt: v.Prompt,
		Patience: v.Patience, TurnPatience: v.TurnTimeout, ClaimWithin: v.ClaimWithin,
	}
	if !v.Turn {
		c.Prompt = ""
	}
	return c
}

// namedCall reads a tool's name and, behind a space, arguments.
func namedCall(text string) validate.Probe {
	name, arguments, _ := strings.Cut(text, " ")
	return validate.Probe{Tool: name, Arguments: json.RawMessage(arguments)}
}

// write gives the report to whoever reads it.
func (v *validateCommand) write(r validate.Report) error {
	tell := r.WriteTable
	if v.JSON {
		tell = r.WriteJSON
	}
	err := tell(os.Stdout)
	if v.JUnit == "" {
		return err
	}
	f, failed := os.Create(v.JUnit)
	if failed != nil {
		return errors.Join(err, fmt.Errorf("--junit: %w", failed))
	}
	return errors.Join(err, r.WriteJUnit(f), f.Close())
}

// verdict is what the program ends with. A violation that was found is one also
// where the validation could not go on.
func verdict(r validate.Report, err error) error {
	switch {
	case r.Verdict == validate.Violations:
		return &exitError{errors.Join(errViolations, err), exitViolations}
	case err != nil:
		return &exitError{err, exitNotRun}
	case r.Verdict == validate.NotRun:
		return &exitError{errNotShown, exitNotRun}
	default:
		return nil
	}
}
