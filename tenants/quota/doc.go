// Package quota holds tenants and their keys to what they may use.
//
// It guarantees that a replica asks Redis once for a whole chunk of requests
// ([chunkOf]), not for each; that all replicas together give at most a chunk
// each more than the limit; that a stream too many is refused and never one
// that is open; and that an outage of Redis stops nobody: each replica then
// gives the limit by itself ([Meter.Spend]).
//
// Stored bytes are measured now and then, not counted ([Meter.Measure]): the
// limit holds from the next measurement on.
//
// What may not be refused (the ends of things) is counted all the same. It
// doesn't smooth: who has been quiet may send a minute's worth at once.
package quota
