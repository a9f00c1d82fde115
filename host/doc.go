// Package host is a working agent on a session gateway: it takes a person's
// prompts, talks to a model, and runs the tool calls that the gateway lets it
// run in a workspace.
//
// It guarantees that
//   - no call is run without a claim that the gateway granted, and none twice
//     by one process; after a restart what was claimed before is the gateway's
//     to end, and is not run again;
//   - a call that the gateway ended, by a cancelled turn, a time that is over
//     or a lost lease, is ended here too, with every process that it started;
//   - what the model is asked next has been checked by the gateway first.
//
// It does not keep conversations: they are in memory, so a turn that was open
// when the process ended is brought to its end and not continued. One Host
// serves one session. It knows the gateway through package client only.
//
// A Host is a value that [Host.Run] brings to life. Tests run it against the
// real program with a scripted model.
package host
