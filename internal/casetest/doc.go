// Package casetest plays a host and a person against a gateway, over HTTP and
// SSE as anybody would, and judges what it sees.
//
// Client sends requests; Feed reads one session's event stream strictly: every
// frame, the gapless sequence and the hash chain are checked as they arrive.
// Run plays a [Case]: it submits the batches, executes what is dispatched,
// answers what is asked, and returns everything that differs from what the
// case expects or from what always holds: one result per call, the batch's end
// last, a next request that every provider takes, a stream that is the log.
//
// It starts nothing and knows the gateway by its contract only, so it works
// against a gateway in the same process, beside it, or deployed. It does not
// depend on package testing: findings are errors.
package casetest
