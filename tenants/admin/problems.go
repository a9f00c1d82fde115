package admin

import (
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

// The codes that administration adds; api/problems.go maps each to its status.
const (
	CodeTenantExists   sessions.Code = "tenant_exists"    // 409
	CodeTenantErasing  sessions.Code = "tenant_erasing"   // 409
	CodeTooManyTenants sessions.Code = "too_many_tenants" // 409
	CodeKeyExists      sessions.Code = "key_exists"       // 409
	CodeKeyDead        sessions.Code = "key_dead"         // 409
	CodeTooManyKeys    sessions.Code = "too_many_keys"    // 409
)

func refuse(code sessions.Code, format string, args ...any) *sessions.Problem {
	return &sessions.Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
}

func errNoTenant() error { return refuse(sessions.CodeNotFound, "no such tenant") }

// invalid is the problem of wrong fields; nil without any.
func invalid(fields []sessions.Field) error {
	if len(fields) == 0 {
		return nil
	}
	return &sessions.Problem{Code: sessions.CodeInvalid, Detail: "the request has invalid values", Fields: fields}
}

func fieldsOf(faults []tenants.Fault) []sessions.Field {
	out := make([]sessions.Field, 0, len(faults))
	for _, f := range faults {
		out = append(out, sessions.Field{Path: f.Path, Detail: f.Detail})
	}
	return out
}

// refusals are what changes are refused for.
var refusals = []struct {
	err  error
	code sessions.Code
	says string
}{
	{store.ErrNotFound, sessions.CodeNotFound, "no such tenant"},
	{store.ErrExists, CodeTenantExists, "there is a tenant with this id"},
	{store.ErrTooMany, CodeTooManyTenants, "there are as many tenants as there may be"},
	{store.ErrBusy, sessions.CodeBusy, "the tenant changes too fast; try again"},
	{tenants.ErrNoKey, sessions.CodeNotFound, "no such key"},
	{tenants.ErrKeyExists, CodeKeyExists, "the tenant has, or had, a key with this id"},
	{tenants.ErrTooManyKeys, CodeTooManyKeys, "as many keys are in use as a tenant may have; revoke some"},
	{tenants.ErrKeyDead, CodeKeyDead, "the key was revoked or has expired; create another"},
}

// problemOf is what a caller is told of an error; others pass.
func problemOf(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return refuse(r.code, "%s", r.says)
		}
	}
	if errors.Is(err, store.ErrNotReplicated) {
		return errors.Join(err, refuse(sessions.CodeNotReplicated, "it is done, but too few replicas of the store have it yet; repeat the request"))
	}
	if errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrNewerSchema) {
		return errors.Join(err, refuse(sessions.CodeUnavailable, "the store does not answer; nothing was acknowledged"))
	}
	return err
}
