// Package metrics counts what a replica does, for Prometheus.
//
// The other packages don't know it: they tell small observers of their own
// ([api.Exchange], [sessions.Observer], [store.Observer]) or have totals that
// are read when somebody asks. Names follow Prometheus's conventions and begin
// with gateway_. Labels are routes, runtimes, reasons and the like, of which
// there are a few dozen at most; tenants, sessions and people are never labels.
//
// Everything is of this replica, but the open approvals, which are of the whole
// deployment and the same at every replica: take the max of them, not the sum.
package metrics
