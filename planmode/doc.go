// Package planmode knows what plan mode is: its state, the reminder that the
// model is given, the deny rules that make it a real restriction, and what an
// entry or an exit comes to. It is pure; the scheduler asks it and carries the
// answers out.
//
// It guarantees that no deny rule exists while plan mode is off, that both
// variants of the reminder differ in one clause only, and that nothing here
// leaves plan mode: an exit only ever comes to a question for a person.
package planmode
