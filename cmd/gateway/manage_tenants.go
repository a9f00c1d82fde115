package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/session-gateway/gateway/client"
)

// tenantsCommand is `gateway tenants`.
type tenantsCommand struct {
	Create createTenantCommand `cmd:"" help:"Create a tenant."`
	List   listTenantsCommand  `cmd:"" help:"List the tenants that the key administers."`
	Delete deleteTenantCommand `cmd:"" help:"Erase a tenant with everything that is stored of it."`
	Export exportTenantCommand `cmd:"" help:"Write all that there is of a tenant to standard output, as NDJSON."`
}

type createTenantCommand struct {
	manageFlags
	ID   string `arg:"" help:"Lower-case letters, digits and dashes."`
	Name string `placeholder:"TEXT" help:"What people call it."`
}

// Run creates the tenant.
func (t *createTenantCommand) Run(ctx context.Context) error {
	c, err := t.dial()
	if err != nil {
		return err
	}
	made, err := c.CreateTenant(ctx, client.TenantCreation{ID: t.ID, Name: &t.Name})
	if err != nil {
		return err
	}
	return t.print(made, tenantTable(made))
}

type listTenantsCommand struct{ manageFlags }

// Run lists tenants.
func (t *listTenantsCommand) Run(ctx context.Context) error {
	c, err := t.dial()
	if err != nil {
		return err
	}
	all := []client.Tenant{}
	for tenant, err := range c.Tenants(ctx) {
		if err != nil {
			return err
		}
		all = append(all, tenant)
	}
	return t.print(all, tenantTable(all...))
}

func tenantTable(all ...client.Tenant) func(row func(...any)) {
	return func(row func(...any)) {
		row("ID", "STATUS", "KEYS", "SETTINGS", "CREATED", "NAME")
		for _, t := range all {
			row(t.ID, t.Status, t.Keys, t.SettingsRevision, when(&t.CreatedAt), t.Name)
		}
	}
}

type deleteTenantCommand struct {
	manageFlags
	ID   string `arg:"" help:"The tenant."`
	Yes  bool   `help:"Do it: nothing brings it back."`
	Wait bool   `help:"Return when nothing of it is left."`
}

// errNotSure says that an erasure was not confirmed.
var errNotSure = errors.New("nothing brings an erased tenant back; say --yes")

// goneEvery is how often it is asked whether an erasure is done.
const goneEvery = time.Second

// Run erases the tenant.
func (t *deleteTenantCommand) Run(ctx context.Context) error {
	if !t.Yes {
		return errNotSure
	}
	c, err := t.dial()
	if err != nil {
		return err
	}
	erasing, err := c.DeleteTenant(ctx, t.ID)
	if err != nil {
		return err
	}
	if t.Wait {
		if err := untilGone(ctx, c, t.ID); err != nil {
			return err
		}
	}
	return t.print(erasing, tenantTable(erasing))
}

// untilGone waits until there is no such tenant any more.
func untilGone(ctx context.Context, c *client.Client, id string) error {
	tick := time.NewTicker(goneEvery)
	defer tick.Stop()
	for {
		_, err := c.Tenant(ctx, id)
		if p, ok := errors.AsType[*client.ProblemError](err); ok && p.Problem.Status == http.StatusNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the erasure: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

type exportTenantCommand struct {
	manageFlags
	ID string `arg:"" help:"The tenant."`
}

// Run writes the export.
func (t *exportTenantCommand) Run(ctx context.Context) error {
	c, err := t.dial()
	if err != nil {
		return err
	}
	return c.ExportTenant(ctx, t.ID, os.Stdout)
}
