// Package admin is the use cases of administration: tenants, their settings
// and their keys, export and erasure.
//
// An admin administers its own tenant, an operator every one; to everybody
// else there is no such tenant. A key's secret is in the answer that made it
// and nowhere else: not in Redis, not in the stored answer to an
// Idempotency-Key, not in a log. An erasure is a mark first, which makes every
// key of the tenant nobody's within a second, and then as many passes through
// Redis as find something; any replica goes on with it.
//
// Use: [New], and [Service.Run] beside it for erasures.
package admin
