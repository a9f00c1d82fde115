// Package sessions holds the session aggregate, its use cases and how it is
// stored. Every use case is load → pure transition → one atomic commit.
//
// It guarantees that a change is in the document, in the event log, in the
// indexes and in the idempotency record together or in none of them; that a
// refusal or a read is never answered from a copy that this replica kept; and
// that a session with open questions goes on after the process that asked
// them is gone. It holds nothing that a restart against the same Redis would
// miss.
//
// Views (views.go) are what routes answer and events carry; stored forms
// (stored_*.go) are what is written; the domain is package scheduler's.
package sessions
