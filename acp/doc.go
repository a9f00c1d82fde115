// Package acp shows a session of the gateway to clients of the Agent Client
// Protocol: editors, and whoever wants to see what an editor would see.
//
// It has three parts. [Mapping] is the translation of the session's events into
// what a client is told: a pure state machine, without network, clock or
// goroutine. [Follow] feeds a mapping from a gateway, across disconnects and
// resets. [Serve] is an agent on a connection; `gateway acp` runs it on
// stdio.
//
// For every legal sequence of events, with repeats and with resets anywhere, a
// mapping guarantees that
//   - each call that is shown has one tool_call, then any number of updates that
//     leave it open, then one tool_call_update that is terminal (completed or
//     failed) and nothing after it. Calls that were skipped, denied, answered as
//     duplicates or lost are calls like any other;
//   - every call of a batch that was heard of is shown and, when the batch is
//     over, terminal;
//   - a permission is asked for after its call's tool_call and before its terminal
//     update; one that no longer needs an answer is withdrawn, once, before that;
//   - what the agent says is told once, in order and whole; a turn ends once, and
//     last of what belongs to it;
//   - nothing is told twice.
//
// A toolCallId is made of the batch and the position ([ToolCallID]), since a
// model may give an id twice. Kinds are the gateway's, one to one. Status success
// is completed, error and cancelled are failed; why is in rawOutput.
//
// It does not guarantee that text keeps its place among the calls where events
// were missed: what was said in a turn whose history broke off is told when the
// turn ends. It knows the gateway through package client only. A key with the
// role frontend is enough for all of it.
package acp
