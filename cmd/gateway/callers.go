package main

import (
	"fmt"
	"os"

	"github.com/session-gateway/gateway/tenants"
)

// The one caller of --dev.
const (
	devTenant  = "dev"
	devKeyID   = "dev"
	devSubject = "developer"
)

// callers is who may use the gateway, with the key of --dev where there is one.
func callers(cfg Config) (*tenants.Directory, Secret, error) {
	if cfg.Bootstrap == "" && cfg.Dev {
		return devCallers(cfg.DevKey)
	}
	d, err := readBootstrap(cfg.Bootstrap)
	if err != nil {
		return nil, "", err
	}
	if d.Len() == 0 {
		return nil, "", fmt.Errorf("%s: %w", cfg.Bootstrap, ErrNobodyConfigured)
	}
	return d, "", nil
}

func devCallers(key Secret) (*tenants.Directory, Secret, error) {
	if key == "" {
		key = Secret(tenants.NewKey())
	}
	d, err := tenants.NewDirectory(tenants.Tenant{ID: devTenant, Keys: []tenants.Key{{
		ID:      devKeyID,
		SHA256:  tenants.DigestOf(string(key)).String(),
		Subject: devSubject,
		Roles:   tenants.AllRoles(),
	}}})
	return d, key, err
}

func readBootstrap(name string) (*tenants.Directory, error) {
	f, err := os.Open(name) //nolint:gosec // whoever starts the program names the file
	if err != nil {
		return nil, fmt.Errorf("--bootstrap: %w", err)
	}
	list, err := tenants.Parse(f)
	if cerr := f.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("--bootstrap %s: %w", name, err)
	}
	return tenants.NewDirectory(list.Tenants...)
}
