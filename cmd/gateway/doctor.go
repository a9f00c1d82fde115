package main

import (
	"context"
	"errors"
	"net/http"
	"os"

	contract "github.com/session-gateway/gateway"
	"github.com/session-gateway/gateway/internal/doctor"
	"github.com/session-gateway/gateway/sessions/store"
)

// doctorCommand is `gateway doctor`. Flags that `serve` has, too, read the same
// variables, so that it looks where a replica in its place would.
type doctorCommand struct {
	Redis      RedisURL   `default:"embedded" help:"The Redis of the deployment."`
	Durability Durability `default:"async" placeholder:"MODE" help:"What the deployment is started with."`
	PublicURL  string     `name:"public-url" placeholder:"URL" help:"Where clients reach the deployment; not looked at if not given."`
	Key        Secret     `placeholder:"KEY" help:"A key with the role host or frontend; better given in the environment. Without it streams are not looked at."`
	Quick      bool       `help:"Don't wait for a heartbeat."`
	trustFlags
}

// Exit codes of a look.
const (
	exitWarnings = 1
	exitFailures = 2
)

// What a look ends with.
var (
	errWarnings = errors.New("there is something to look at")
	errFailures = errors.New("something loses data or breaks clients")
)

// Run looks and tells. The error says how grave the worst of it is.
func (c *doctorCommand) Run(ctx context.Context) error {
	transport, err := c.transport()
	if err != nil {
		return err
	}
	found := doctor.Run(ctx, doctor.Config{
		Redis:     store.Config{URL: string(c.Redis), Replicas: int(c.Durability)},
		PublicURL: c.PublicURL, Key: string(c.Key), Contract: contract.OpenAPI, Quick: c.Quick,
		HTTP: &http.Client{Transport: transport},
	})
	for _, f := range found {
		if err := say(os.Stdout, f.String()); err != nil {
			return err
		}
	}
	switch doctor.Worst(found) {
	case doctor.Failure:
		return &exitError{errFailures, exitFailures}
	case doctor.Warning:
		return &exitError{errWarnings, exitWarnings}
	case doctor.Good:
	}
	return nil
}
