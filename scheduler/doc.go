// Package scheduler turns a batch of tool calls into decisions and carries the
// batch through its states until every call has exactly one terminal result.
//
// It is pure: the clock, ids, rules, tools and what is remembered come in as
// arguments ([Env]); a command takes a [State] by value and gives a new one
// with the [Effects] that its commit has to write and announce. The state that
// was passed in is never changed.
//
// It guarantees, for any sequence of commands:
//   - exactly one result per position, which never changes afterwards;
//   - a call that the plan boundary skipped is never looked up, asked about or
//     dispatched;
//   - in core and headless, nothing is dispatched while a question is open;
//   - a call that is put to hooks starts only if all of them let it pass, and a
//     person approved it where one of them, or a rule, asked for that;
//   - a call starts only after it was decided under the rules in force at that
//     moment;
//   - in headless, at most MaxToolCalls calls start.
//
// The order of the stages is data: see pipelines in pipeline.go.
package scheduler
