// Package tenants knows the organisations that share the gateway: their
// callers, keys and roles.
//
// It guarantees that a key is never kept: a [Directory] holds SHA-256 digests
// and answers by digest, so that neither a dump of its memory nor the time
// that a look-up takes tells anything about a key. It does not guess: a
// bootstrap file with an unknown field, a malformed id or a key that two
// callers share is refused as a whole, with every problem named.
//
// A replica has one [Directory]: [Directory.Authenticate] turns a bearer key
// into the [Caller] that every use case takes, [Directory.Settings] is what a
// tenant has set, [Directory.StillValid] is asked again by whoever holds a
// caller for long. Package tenants/store keeps it as Redis has it; [Parse]
// reads a bootstrap file. [NewKey] makes keys that secret scanners recognise.
package tenants
