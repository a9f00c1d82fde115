// Package tenants knows the organisations that share the gateway: their
// callers, keys and roles.
//
// It guarantees that a key is never kept: a [Directory] holds SHA-256 digests
// and answers by digest, so that neither a dump of its memory nor the time
// that a look-up takes tells anything about a key. It does not guess: a
// bootstrap file with an unknown field, a malformed id or a key that two
// callers share is refused as a whole, with every problem named.
//
// Start with [Parse] for a bootstrap file, or [NewDirectory] for tenants made
// in code; [Directory.Authenticate] turns a bearer key into the [Caller] that
// every use case takes. [NewKey] makes keys that secret scanners can recognise.
package tenants
