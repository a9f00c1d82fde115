// Package spans names the spans of a batch.
//
// A batch may be submitted at one replica, approved at a second and completed
// at a third, and a span is told of only when it has ended. So that each replica
// can name a span before another one tells of it, the ids follow from the
// batch's; the trace is the one that the batch came in with, which is kept with
// it as the text of a W3C `traceparent`.
//
// The package is pure and knows no tracing library: the use cases need it to
// say which span a host goes on from.
package spans

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// ID is the id of a span.
type ID [8]byte

// Batch is the span from a batch's submission to its end.
func Batch(batch string) ID { return named("batch", batch, 0) }

// Call is the span from a call's submission to its result.
func Call(batch string, position int) ID { return named("call", batch, position) }

// Execution is the span from a call's claim to its result; what the host does
// lies within.
func Execution(batch string, position int) ID { return named("execution", batch, position) }

// named is never zero, which would be no id: SHA-256 does not give that.
func named(kind, batch string, position int) ID {
	sum := sha256.Sum256([]byte(kind + "\n" + batch + "\n" + strconv.Itoa(position)))
	return ID(sum[:len(ID{})])
}

// The parts of a traceparent: version, trace, span, flags.
const (
	version    = "00"
	parts      = 4
	traceChars = 32
)

// Within is the traceparent of another span of the same trace; empty when the
// first is none.
func Within(traceparent string, span ID) string {
	p := strings.Split(traceparent, "-")
	if len(p) != parts || p[0] != version || len(p[1]) != traceChars {
		return ""
	}
	return strings.Join([]string{version, p[1], hex.EncodeToString(span[:]), p[3]}, "-")
}
