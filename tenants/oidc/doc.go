// Package oidc takes the signed tokens (JWT) of identity providers in a key's
// stead.
//
// It guarantees that a token is somebody's only if all of it holds: its issuer
// is configured, its algorithm is one that is configured for that issuer and
// fits the key, its signature is by a key of the issuer's key set, it is for
// this audience and for now, and it speaks for a tenant that the issuer may
// speak for. What a token says about where its keys are (jku, x5u, jwk, x5c) is
// not read. Key sets are fetched by [Verifier.Run] alone, at most once a minute
// for each issuer, whatever tokens come.
//
// It doesn't know sign-in: who sends a token got it somewhere else. It can't
// take a token back before its exp; the key set of its issuer can, within
// [refreshEvery].
//
// Test with a client whose transport answers from memory; see the tests.
package oidc
