// Package permissions is the one rule engine of the gateway: deny → ask → allow
// lists over tool calls, with the path and shell-command views that the rules
// are read against. It is pure: no I/O, no clock, no state between calls.
// docs/permissions.md is written for the people who write rules; this comment is
// the specification.
//
// # Use
//
// Compile rules once ([Compile], [Check] for what a person sent, [Join] to add a
// source), analyse a call once ([Analyse]), then judge: [Policy.Denied] before
// anything else about the call is known to be right, [Policy.Decide] for the
// verdict. Policies and analyses are immutable and safe for concurrent use.
//
// # Patterns
//
//	pattern  = toolglob [ "(" subject ")" ]
//	toolglob = name with *, ?, [class], {a,b}; no white space
//	subject  = text with *, {a,b}; and, read as a path, **, ?, [class]
//
// Parentheses in a subject are balanced; \ takes the meaning from the character
// after it. Braces with a comma are alternatives and are expanded before anything
// else, at most [MaxAlternatives]; braces without one are characters. tool,
// tool(*) and tool(**) match every call of the tool. What does not read as a
// pattern is refused by name ([RuleErrors]), never ignored.
//
// A call is known by its tool's canonical name and by the pseudo-tool of its
// kind ([PseudoTool]); to deny and ask rules also by its aliases. A pseudo-tool
// is met only by its own name, not by wildcards: an allow of e* is not one of
// execute. The gateway's own tools have no pseudo-tool, and only the tool glob of
// deny rules counts for them.
//
// # Facets
//
// A call is taken apart into facets: each path, URL and command among its
// subjects, and of a command each part, redirect and file argument. A deny rule
// that matches one facet denies the call; else an ask rule asks; else each facet
// needs an allow rule or the mode's leave, and the strictest counts. Within a
// tier the first match is named: by source, then by place in the list.
//
// Subjects are those that the tool declares, else arguments with the usual names,
// by exact case; where an argument exists, a text has to be found in it. Those that a tool's kind is not about (the directory of a shell
// tool, the command of an edit tool) count in deny and ask only.
//
// # Fog
//
// What can't be seen is never skipped. A subject that is missing, is no text, or
// may be read as something else (~, NUL) is unknown: no narrower allow rule
// matches it, and a narrower deny or ask rule that could apply asks. So does a
// command that runs what can't be seen, or that can't be read, for read(…) and
// write(…) rules too. A
// text that is no shell command always asks. What exceeds a limit is denied where
// a narrower deny rule could apply, else it asks. Such an ask names the rule, with
// the tier ask; without a rule, tier and source are the mode's.
//
// # Paths
//
// A path is compared as written, normalised, and normalised and absolute; patterns
// are read against the session's directory as paths are. Deny and ask hold if any
// view matches, allow only if the absolute one does. Where a host might read a
// path in several ways (file: URIs, surrounding white space, backslashes, a NUL)
// each reading counts: deny and ask hold for any of them, allow only for all.
// A delete or move of a directory asks where a rule is about something inside it.
//
// # Commands
//
// In text patterns * is any text, and a trailing " *" also no arguments. Texts go
// through a guard ([MaxCommandBytes], [MaxOpeners]) and then a real shell parser.
// Deny and ask see each part as written, unquoted, and by its program's base name,
// behind wrappers (sudo, env, xargs …) and assignments, within eval, sh -c and
// find -exec, and the text as a whole. Allow sees each part as written, and nothing
// else. What sets a variable is a part, and what a shell expands or computes from
// a value is opaque (evaluation.go), as is what sets a variable that says which
// programs run (steering.go). Redirects are read(…) and write(…) in every tier, file arguments of the
// programs in fileUses in deny and ask. Writing to /dev/null needs no allow rule.
//
// # URLs
//
// Deny and ask see a URL as written and as browsers read it: scheme and host in
// lower case, names mapped by IDNA, without credentials, default port and dot
// segments. Allow sees it as written, if that is how every client reads it.
//
// # Not guaranteed
//
// Symbolic links, mounts and hard links are the host's duty: only it sees the file
// system. Deny and ask take no notice of case and Unicode forms, whatever the host
// does. Programs that
// are not in the list may read and write anything; a rule about files does not
// confine a program that an execute rule allows.
//
// # Tests
//
// The tables in security_*_test.go are attacks and their right outcomes: add the
// spelling that got through. Properties are in property_test.go, fuzz targets in
// fuzz_test.go.
package permissions
