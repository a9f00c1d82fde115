// Package permissions is the one rule engine of the gateway: deny → ask → allow
// lists over tool calls, with the path and shell-command views that the rules
// are read against. It is pure: no I/O, no clock, no state between calls.
package permissions
