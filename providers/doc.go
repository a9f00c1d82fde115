// Package providers speaks the wire formats of model providers.
//
// It reads the tool calls out of an assistant message ([Parse], and
// [ParseNative] for the gateway's own shape), renders the results of those
// calls as the part of the next request that answers them ([Render]), writes
// tool declarations as each provider wants them ([Advertise]), maps tool names
// that a provider refuses ([Names]), and checks whether a rendering is one
// that the provider accepts ([Conforms]).
//
// Guarantees: the package is pure, so the same input gives the same bytes;
// arguments are kept byte for byte; every call that a message asks is found or
// the message is refused; any batch can be rendered in any format.
//
// It doesn't judge calls. Odd names, arguments that are no JSON object and
// repeated ids come out as they came in. It never looks at the assistant
// message again when it renders: the host keeps that message and sends it back
// unchanged, with the ids that the gateway assigned put in.
//
// Each provider is one file, and the table in wires.go lists what differs.
// To test code that uses the package, post a message, render, and hand both to
// [Conforms].
package providers
