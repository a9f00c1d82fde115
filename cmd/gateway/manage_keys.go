package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/session-gateway/gateway/client"
)

// keysCommand is `gateway keys`.
type keysCommand struct {
	Create createKeyCommand `cmd:"" help:"Create a key and print it, this once."`
	List   listKeysCommand  `cmd:"" help:"List a tenant's keys."`
	Rotate rotateKeyCommand `cmd:"" help:"Give a key another secret and print it, this once."`
	Revoke revokeKeyCommand `cmd:"" help:"Revoke a key: it is dead within a second."`
}

// errAnswerLost says that a key was made whose secret nobody has.
var errAnswerLost = errors.New("the key was made, but the answer that had it was lost: rotate it")

type createKeyCommand struct {
	manageFlags
	Tenant    string            `arg:"" help:"The tenant that the key is for."`
	ID        string            `placeholder:"ID" help:"What the key is called. Made up if not given."`
	Subject   string            `required:"" placeholder:"NAME" help:"Who has it: answers are recorded under this name."`
	Roles     []string          `required:"" placeholder:"ROLE" help:"viewer, frontend, host, admin, operator."`
	ExpiresIn time.Duration     `placeholder:"TIME" help:"How long it is good; for ever if not given."`
	Session   string            `placeholder:"SID" help:"Narrow the key to one session and those below it."`
	Label     map[string]string `placeholder:"KEY=VALUE" help:"Narrow the key to sessions with this label."`
	Redis     RedisURL          `env:"-" placeholder:"URL" help:"Make the first key, and its tenant, in a Redis that has none yet. There is no gateway to ask then."`
}

// Run makes the key.
func (k *createKeyCommand) Run(ctx context.Context) error {
	if k.Redis != "" {
		return k.first(ctx)
	}
	c, err := k.dial()
	if err != nil {
		return err
	}
	made, err := c.CreateKey(ctx, k.Tenant, k.creation())
	if err != nil {
		return err
	}
	return k.tell(made)
}

func (k *createKeyCommand) creation() client.KeyCreation {
	in := client.KeyCreation{Subject: k.Subject}
	for _, r := range k.Roles {
		in.Roles = append(in.Roles, client.Role(r))
	}
	if k.ID != "" {
		in.ID = &k.ID
	}
	if k.ExpiresIn > 0 {
		at := time.Now().Add(k.ExpiresIn).UTC()
		in.ExpiresAt = &at
	}
	if k.Session != "" || len(k.Label) > 0 {
		in.Narrow = &client.Narrow{}
		if k.Session != "" {
			in.Narrow.SessionID = &k.Session
		}
		if labels := client.Labels(k.Label); len(labels) > 0 {
			in.Narrow.Labels = &labels
		}
	}
	return in
}

// tell prints a key that was just made: alone, so that a script can take it.
func (m *manageFlags) tell(made client.MadeKey) error {
	if made.Key == nil {
		return errAnswerLost
	}
	if m.JSON {
		return m.print(made, nil)
	}
	return say(os.Stdout, *made.Key)
}

type listKeysCommand struct {
	manageFlags
	Tenant string `arg:"" help:"The tenant."`
}

// Run lists keys.
func (k *listKeysCommand) Run(ctx context.Context) error {
	c, err := k.dial()
	if err != nil {
		return err
	}
	keys, err := c.Keys(ctx, k.Tenant)
	if err != nil {
		return err
	}
	return k.print(keys, func(row func(...any)) {
		row("ID", "STATUS", "SUBJECT", "ROLES", "CREATED", "EXPIRES", "ROTATED", "REVOKED")
		for _, key := range keys {
			row(key.ID, key.Status, key.Subject, rolesOf(key), when(&key.CreatedAt), when(key.ExpiresAt), when(key.RotatedAt), when(key.RevokedAt))
		}
	})
}

func rolesOf(k client.Key) string {
	names := make([]string, 0, len(k.Roles))
	for _, r := range k.Roles {
		names = append(names, string(r))
	}
	return strings.Join(names, ",")
}

type rotateKeyCommand struct {
	manageFlags
	Tenant  string        `arg:"" help:"The tenant."`
	ID      string        `arg:"" help:"The key."`
	Overlap time.Duration `default:"0s" help:"How long the secret before stays good."`
}

// Run rotates the key.
func (k *rotateKeyCommand) Run(ctx context.Context) error {
	c, err := k.dial()
	if err != nil {
		return err
	}
	seconds := int(k.Overlap / time.Second)
	made, err := c.RotateKey(ctx, k.Tenant, k.ID, client.KeyRotation{OverlapS: &seconds})
	if err != nil {
		return err
	}
	return k.tell(made)
}

type revokeKeyCommand struct {
	manageFlags
	Tenant string `arg:"" help:"The tenant."`
	ID     string `arg:"" help:"The key."`
}

// Run revokes the key.
func (k *revokeKeyCommand) Run(ctx context.Context) error {
	c, err := k.dial()
	if err != nil {
		return err
	}
	return c.RevokeKey(ctx, k.Tenant, k.ID)
}
