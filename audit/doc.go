// Package audit is the form of a tenant's audit logs, and how they are proved.
//
// A log is a sequence of entries, each with an id that the store gave it. What
// was done is in an [Entry]. Behind every few entries stands a [Seal]: it names
// each of them with its hash, follows from the seal before it, and is signed
// with a key that the store does not have. So whoever owns the store can't
// change, remove, add or reorder what has been sealed without [Verifier] seeing
// it, and saying where.
//
// It does not guarantee that nothing is cut off at the ends. The beginning goes
// with the retention; the end can be seen to be missing only by somebody who
// remembers a [Seal.Sum] that was there. What was written since the last seal,
// some seconds, is not proved yet.
//
// The package is pure: no store, no clock. [Line] is the form in which logs are
// exported.
package audit
