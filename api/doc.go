// Package api serves the gateway's HTTP surface: the routes of openapi.yaml and
// nothing else.
//
// It guarantees that a request reaches a use case only after its key, its
// caller's role and the contract have been checked, in this order; that what is
// refused changes nothing; and that every error is an RFC 9457 problem with a
// code of the contract. It holds no state: what a request changes is decided
// and stored by package sessions, and what a stream sends comes from package
// stream.
//
// It does not limit rates, does not speak TLS and sends no CORS headers.
//
// The server's types are generated from openapi.yaml into internal/contract.
// Each resource is one file, in the contract's order. Tests talk to a running
// server through internal/apitest, whose client validates every answer against
// the contract.
package api

//go:generate go tool -modfile=../tools.mod oapi-codegen -config oapi-codegen.yaml ../openapi.yaml
