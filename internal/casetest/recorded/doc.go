// Package recorded sends recorded messages of model providers through a
// gateway and compares the next request with the one that the provider
// accepted when the message was recorded.
//
// A record is a JSON file {"batch": the body of POST …/batches,
// "then_accepted": the end of the next request, or null}. The tools that its
// message names are declared, its calls are answered with the outputs in
// then_accepted, and then: every call has one result, the next request obeys
// its provider's rules, and it answers the same calls in the same order with
// the same texts and errors. Ids that a client made up for calls without one,
// or put a prefix before, are taken for what they stand for; answers to calls
// of earlier messages are not compared.
package recorded
