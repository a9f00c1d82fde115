// Package validate says whether a deployed gateway and the host of one of its
// sessions behave: one result for every call, nothing run that was skipped, and
// a next model request that tells the model what happened.
//
// It knows the deployment by its HTTP surface only. [Run] either probes, which
// submits batches of its own and prompts once, or it observes what happens
// anyway; both judge by the same rules. A [Report] names every breach by a
// [Code]; [Codes] is the list of them.
//
// It guarantees that
//   - it never attaches to the session, so the host that serves it goes on
//     serving it;
//   - what it lets the host run is read-only by its declaration, or chosen by
//     whoever started it;
//   - the session's mode is put back, and what it opened is ended, also when
//     it is interrupted.
//
// It does not show what a host does and tells nobody of: docs/validation.md
// says for each probe what it proves and what not. Tests run it against the
// real program, with hosts that each break one rule.
package validate
