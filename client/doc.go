// Package client talks to a session gateway over its HTTP surface: typed
// calls, retries where they are safe, and event streams that go on across
// disconnects and replicas.
//
// It guarantees that a request is repeated only if repeating it can't do a
// thing twice: reads, and writes that carry an Idempotency-Key, which every
// POST of this package does. An event stream gives every event of the log once
// and in order, or says with a stream.reset event that it could not and goes on
// from a snapshot. [Client.Events] follows a session, [Client.TenantEvents] all of
// a tenant's.
//
// It does not interpret events; types.gen.go has a type for each document.
// The types are made from openapi.yaml.
package client

//go:generate go tool -modfile=../tools.mod oapi-codegen -config oapi-codegen.yaml ../openapi.yaml
