// Package store keeps tenants, their keys and settings in Redis, and every
// replica's copy of them ([tenants.Directory]) as Redis has it.
//
// A change is decided on what is stored and written in one script, which
// refuses to write over another's change. It guarantees that a change is in
// the copy of the replica that made it at once, and in every other's within
// a second: replicas are told over pub/sub, and ask twice a second in case
// nobody told them. While Redis does not answer, the copies stay as they are
// and in use. Where writes are to wait for replicas of Redis ([Replicas]), a
// change is acknowledged when they have it, so that no failover brings a revoked
// key back. A key is only ever stored as its SHA-256.
//
// A tenant is one document under a key with the tenant's name in it; the
// deployment's list of tenants has their names as members. All are in one
// slot, so that a change is atomic also in a cluster.
//
// Use: [New], [Store.Load] before anybody is served, [Store.Run] beside that.
package store
