package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// The one caller of --dev.
const (
	devTenant  = "dev"
	devKeyID   = "dev"
	devSubject = "developer"
)

// callers are those that the command line names. Others are in Redis.
type callers struct {
	file   tenants.Bootstrap
	devKey Secret // of --dev; empty otherwise
}

func callersOf(cfg Config) (callers, error) {
	switch {
	case cfg.Bootstrap != "":
		file, err := readBootstrap(cfg.Bootstrap)
		return callers{file: file}, err
	case !cfg.Dev:
		return callers{}, nil
	case cfg.DevKey == "":
		cfg.DevKey = Secret(tenants.NewKey())
	}
	dev := tenants.Bootstrap{Tenants: []tenants.Tenant{{ID: devTenant}}}
	return callers{file: dev, devKey: cfg.DevKey}, nil
}

// directory is the replica's copy of all tenants before any is read. The key
// of --dev is this process's alone: the next one makes up another.
func (c callers) directory() (*tenants.Directory, error) {
	d, err := tenants.NewDirectory()
	if err != nil || c.devKey == "" {
		return d, err
	}
	d.Pin(devTenant, tenants.Key{
		ID: devKeyID, SHA256: tenants.DigestOf(string(c.devKey)).String(), Subject: devSubject, Roles: tenants.AllRoles(),
	})
	return d, nil
}

func readBootstrap(name string) (tenants.Bootstrap, error) {
	f, err := os.Open(name) //nolint:gosec // whoever starts the program names the file
	if err != nil {
		return tenants.Bootstrap{}, fmt.Errorf("--bootstrap: %w", err)
	}
	file, err := tenants.Parse(f)
	if cerr := f.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err == nil {
		err = checkRules(file)
	}
	if err != nil {
		return tenants.Bootstrap{}, fmt.Errorf("--bootstrap %s: %w", name, err)
	}
	return file, nil
}

// checkRules names the patterns of a bootstrap file that can't be used.
func checkRules(file tenants.Bootstrap) error {
	var wrong []error
	for _, t := range file.Tenants {
		if t.Settings == nil {
			continue
		}
		for _, f := range sessions.CheckTenantRules(t.Settings) {
			wrong = append(wrong, fmt.Errorf("tenant %s: settings%s: %s", t.ID, f.Path, f.Detail))
		}
	}
	return errors.Join(wrong...)
}
