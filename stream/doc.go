// Package stream is the sessions' ordered event logs as readers see them: the
// event envelope and its hash chain, and server-sent events that any replica
// can serve and that a reader can leave and rejoin without losing an event.
//
// # Events
//
// A log's events are numbered 1, 2, 3… and chained: each one's hash covers the
// hash before it and its own JSON ([Next], [Seal]). An event's id shows its
// number and the first 8 hex digits of its hash, so an id that a reader brings
// back proves which history it has seen. docs/events.md describes the wire
// format, with an example that can be recomputed.
//
// # A tenant's stream
//
// A tenant has [TenantLogs] short logs beside its sessions' own, one for each
// bucket that its sessions are in, of the few events that an overview needs.
// [Hub.OpenTenant] sends them as one stream. Each log is followed like a
// session's, with its own ring and its own chain; the stream's id is the place
// in all of them at once ([Vector]), opaque to clients. Frames are encoded once
// and shared; only the line with the id is each reader's own, since it depends
// on where the reader stands in the other logs. A session is in one log, so its
// events keep their order; those of sessions in different logs have none.
// Without a cursor the stream begins with tenant.snapshot.
//
// # A replica
//
// A [Hub] is one replica's share. For each log that somebody watches here it
// holds one ring of encoded frames, fed by notices ([Hub.Notify]). A reader is
// a place in the log and a way to be called: no queue, no goroutine but
// its request's. When it wakes it sends all that the ring has for it, with one
// write deadline and one flush.
//
// History that fits into the ring is read once: the first reader to come back
// lets the ring begin at its page, the rest is fetched for everybody; pages
// that a later reader needs from further back are put before what is held.
// Where more than the ring's bytes are missing, each reader pages for itself.
//
// What is guaranteed to a reader:
//
//   - Events come in order, each once, none left out; or the stream says that
//     this can't be had: stream.reset, with a reason, followed by
//     session.snapshot, whose id is that of the last event it includes. (A
//     tenant.snapshot may include more than its id says; see docs/events.md.)
//   - A cursor is compared with the log before anything is sent for it. If the
//     events behind it are not retained any more the reason is "trimmed", if
//     the log ends before it "ahead", if its hash is another one "diverged".
//   - Events of two histories are never mixed. The ring takes a frame only if
//     its previous hash is the ring's head. When the log is found to hold
//     another history, all its readers are reset.
//   - A lost notice delays an event by at most [Config].Compare: heads are
//     compared that often, and whenever the feed asks for it ([Hub.Resync]).
//   - A reader that does not read slows nobody down. It is cut off after
//     [Config].WriteTimeout and may come back with its cursor.
//   - When the log can't be read the stream stays open, silent but for
//     heartbeats, and goes on when it can. When the log is gone the stream says
//     so (stream.error) and ends. It never pretends to be caught up.
//   - No event, whatever is in it, can be read as anything but one event.
//
// What is not guaranteed:
//
//   - That the reader's machine got what was written. That is what ids are for.
//   - That an event which was shown survives: a store that fails over may lose
//     its newest events. Readers that saw one of them are reset.
//   - That the JSON hashes to the id. The chain's links are checked here, the
//     hashes are the store's word; a reader that does not trust it can compute
//     them.
//   - Anything after [Hub.Run] has returned, other than that streams end.
//
// # Memory
//
// Rings are bounded one by one and together; when they are full the log that
// was written to longest ago lets go of its oldest frames first. A reader that
// falls off its ring, or comes with a cursor from before it, is served from the
// log in pages, a bounded number of readers at a time. A reader that is stuck
// in a write keeps at most one chunk of frames alive.
//
// # Using and testing it
//
// Make a [Hub] with [NewHub], give it to the feed as its [Sink], keep [Hub.Run]
// running, and let [Hub.Open] give each request its [Stream]; [Hub.Drain] before the server
// is shut down. The server must have no WriteTimeout, and wrappers of the
// response writer must implement Unwrap. Package streamtest has logs in memory
// that lose notices, forget events and change history on demand.
//
// Locks are taken in this order and mostly alone: Hub.mu, topic.mu, then those
// of the bells, the budget and the queues. Feed's methods are called under Hub.watchMu
// only; they may call the hub's Sink methods.
package stream
