// Package tracing exports traces by OTLP over HTTP.
//
// One trace leads from a batch through its questions and dispatches to its
// results, whichever replicas take part: the trace that the batch was submitted
// in is kept with it, and [spans] names the spans. They are told of when they
// have ended, by the replica that committed the end:
//
//	POST …/batches            the request that submitted it
//	└ batch                   until its last result
//	  └ call                  until its result; one for each
//	    ├ approval            until the answer, the expiry, …; linked to the request that answered
//	    ├ dispatch            until a host took it
//	    └ execution           until the result; the host goes on from here
//
// Spans carry ids of sessions and batches, names of tools, reasons. They never
// carry arguments, outputs, keys, query strings or who somebody is.
//
// A replica that dies takes the spans with it that it has not sent yet, at most
// the last few seconds' worth.
package tracing
