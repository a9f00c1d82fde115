package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/client"
)

// The defaults of a validation.
const (
	// DefaultPatience is what a host has to run a read-only call and report it.
	DefaultPatience = 30 * time.Second
	// DefaultTurnPatience is what a model has to answer a short prompt.
	DefaultTurnPatience = 5 * time.Minute
	// DefaultClaimWithin is what an idle host has to take an offer: a stream
	// that has to be opened anew, with its backoff.
	DefaultClaimWithin = 10 * time.Second
)

// DefaultPrompt is a task that is done with an entry beside reading calls. It
// changes nothing whatever the model makes of it.
const DefaultPrompt = "This is a check of the system, not a task. In one single response call enter_plan_mode with " +
	"userRequested set to true and, beside it, two of the tools that only read or search. When you have their " +
	"results, answer with the word done and call nothing more. Do not write, run or change anything."

// Config is what is validated, and how.
type Config struct {
	Bases       []string // addresses of one deployment; the first is asked first
	Key         string   // with the roles host and, for turns and modes, frontend
	ApproverKey string   // of another person; empty: no plan is approved
	Session     string   // its id
	Observe     time.Duration

	Probe        Probe
	Canary       Canary
	Prompt       string // empty: no turn is started
	Patience     time.Duration
	TurnPatience time.Duration
	ClaimWithin  time.Duration

	HTTP *http.Client // nil: the default one
}

// Probe is a call that the host may run any number of times.
type Probe struct {
	Tool      string // empty: read-only tools of the session are chosen
	Arguments json.RawMessage
}

// Canary is a writing call and a reading one that shows whether it ran. Canary
// stands in both for a text that is in no other validation.
type Canary struct{ Write, Read Probe }

// canaryMark is what stands for the text in a canary's arguments.
const canaryMark = "{canary}"

// The errors of a validation that could not be run.
var (
	ErrBusy         = errors.New("the session has an open turn or batch; try again, or observe it")
	ErrClosed       = errors.New("the session is closed")
	ErrNoHost       = errors.New("no host is attached to the session")
	ErrBudget       = errors.New("the session has a budget of tool calls, which probes would use up; observe it instead")
	ErrRole         = errors.New("the key does not have the role that is needed")
	ErrNotRestored  = errors.New("the session could not be put back as it was")
	errNoAddress    = errors.New("no address of a gateway")
	errNotArguments = errors.New("arguments that are not a JSON object")
	errNoProbe      = errors.New("arguments without a tool")
	errSameKey      = errors.New("the approver's key is the one that asks")
	errHalfCanary   = errors.New("a canary is a writing call and a reading one")
)

// Validate joins everything that is wrong with the configuration.
func (c Config) Validate() error {
	var errs []error
	if len(c.Bases) == 0 {
		errs = append(errs, errNoAddress)
	}
	if c.ApproverKey == c.Key {
		errs = append(errs, errSameKey)
	}
	if (c.Canary.Write.Tool == "") != (c.Canary.Read.Tool == "") {
		errs = append(errs, errHalfCanary)
	}
	return errors.Join(append(errs, c.Probe.check("probe"), c.Canary.Write.check("canary (write)"), c.Canary.Read.check("canary (read)"))...)
}

func (p Probe) check(name string) error {
	var object map[string]any
	switch {
	case len(p.Arguments) == 0:
		return nil
	case p.Tool == "":
		return fmt.Errorf("%s: %w", name, errNoProbe)
	case json.Unmarshal(p.Arguments, &object) != nil || object == nil:
		return fmt.Errorf("%s: %w", name, errNotArguments)
	default:
		return nil
	}
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	for at, otherwise := range map[*time.Duration]time.Duration{
		&c.Patience: DefaultPatience, &c.TurnPatience: DefaultTurnPatience, &c.ClaimWithin: DefaultClaimWithin,
	} {
		if *at == 0 {
			*at = otherwise
		}
	}
	if c.HTTP == nil {
		c.HTTP = http.DefaultClient
	}
	return c
}

// dial makes a client of some of the addresses.
func (c Config) dial(key string, bases ...string) (*client.Client, error) {
	options := []client.Option{client.WithHTTPClient(c.HTTP)}
	for _, b := range bases[1:] {
		options = append(options, client.WithReplica(b))
	}
	out, err := client.New(bases[0], key, options...)
	if err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	return out, nil
}
