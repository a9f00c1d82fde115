// Package store keeps sessions in Redis: one hash tag per bucket, one Lua
// script per commit, one ordered event log per session.
//
// What it guarantees. A commit is applied whole or not at all, and only if the
// session's head (sequence number and full hash), its ancestors' mode values
// and the absence of an idempotency record are what the commit was decided
// against. Running the same commit again answers as the first run did. The
// events of a commit are in the log if and only if its document changes are in
// the document. Every key of a commit is declared and in one slot.
//
// What it does not guarantee. A commit that ends in ErrUnavailable may have
// been applied: load again and look, or repeat it with the same id. Redis
// replication is asynchronous, so a failover may lose the newest commits; the
// head check keeps anybody from writing over the gap, and readers see another
// hash. The feed may lose or repeat messages; Resync says when, and comparing
// heads finds the rest. A page of a list is not a snapshot.
//
// The store never looks into documents: fields are strings that the sessions
// package writes and reads. Fields that begin with "@" and the field "schema"
// are the store's own.
//
// Use. Open a Store, give its Run to the process's errgroup, then Load,
// decide, Commit. "embedded" is an in-process server for development and
// tests; it forgets everything at Close. The tests run one suite over the
// embedded server, a real Redis and a three-node Cluster (internal/redistest).
// docs/redis.md lists keys, fields and scripts.
package store
