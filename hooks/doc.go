// Package hooks sends signed webhooks (Standard Webhooks) and takes the
// verdicts that come back.
//
// A [Sender] has a bounded queue and a bounded number of requests in flight for
// each tenant, so that a receiver that hangs stalls its own tenant's webhooks
// and nobody else's. It tries each message once. It promises nothing about what
// it was given: a message that is refused, lost with the process or not answered
// is given again by whoever keeps it, under the same id. A receiver therefore
// sees a message at least once or not at all, and tells repetitions by the id.
//
// Where a message may go is not decided here but by the HTTP client; it has to
// be one of internal/egress. Secrets and URLs, which may hold secrets, reach no
// log.
package hooks
