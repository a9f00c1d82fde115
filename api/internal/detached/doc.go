// Package detached answers requests on connections that net/http has let go of.
//
// An event stream lives for hours and says little. For the connection of each,
// net/http keeps two goroutines on stacks that have grown, two buffers of 4 KiB
// and the request: about 26 KB. A detached response keeps a goroutine that
// answers, one that waits for the client to leave, and no buffer while nothing
// is being sent.
//
// It is for responses that are the last on their connection, and says so to the
// client. Only HTTP/1.1 can be detached: over HTTP/2 many streams share a
// connection, and package api keeps their goroutines' stacks small instead.
//
// Writes are collected until they are flushed or exceed a bound, and leave in
// one call to the system. What is given to WriteShared is not copied.
package detached
