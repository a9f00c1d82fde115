package permissions

import (
	"slices"
	"strings"
)

// interpreters run a program text; it is not shell, so nothing in it is seen.
var interpreters = []string{
	"python", "pypy", "perl", "node", "nodejs", "ruby", "php", "lua", "deno", "bun", "Rscript",
	"osascript", "tclsh", "pwsh", "powershell",
}

// isInterpreter knows python3.13 as python.
func isInterpreter(base string) bool {
	return slices.Contains(interpreters, strings.TrimRight(base, "0123456789."))
}

// launchers run a command that they are given, in ways that differ too much to
// look through.
var launchers = []string{
	"watch", "flock", "parallel", "script", "taskset", "unshare", "setarch", "ssh", "pkexec", "runuser",
	"strace", "ltrace", "nsenter", "firejail", "fakeroot", "entr", "at", "batch", "crontab", "setpriv",
	"prlimit", "numactl", "proot", "bwrap", "unbuffer", "expect", "gosu", "su-exec", "start-stop-daemon",
	"systemd-run", "xvfb-run", "dbus-run-session", "caffeinate", "torsocks", "proxychains", "gdb", "ed",
}

// isLauncher counts the dynamic loader, which runs the file that it is given.
func isLauncher(base string) bool {
	return slices.Contains(launchers, base) || strings.HasPrefix(base, "ld-linux") || strings.HasPrefix(base, "ld-musl")
}

// interpreter is opaque with a program text, or without a script: then its
// program comes on the input. Which options take a value differs between them,
// so an option counts wherever it stands.
func (c *command) interpreter(args []word) {
	script := false
	for _, w := range args {
		option := len(w.text) > 1 && w.text[0] == '-'
		script = script || !option && w.text != "-"
		if w.unclear() || option && isProgram(w.text) || w.text == "eval" || w.text == "-" ||
			strings.HasPrefix(w.text, "/dev/") || strings.HasPrefix(w.text, "/proc/") {
			c.hide(opaque)
		}
	}
	if !script {
		c.hide(opaque)
	}
}

// isProgram reports whether an option is followed by a program text.
func isProgram(option string) bool {
	if strings.HasPrefix(option, "--") {
		return strings.HasPrefix(option, "--eval") || strings.HasPrefix(option, "--print")
	}
	return strings.ContainsAny(option, "ceEpr")
}

func isAwk(base string) bool {
	return base == "awk" || base == "gawk" || base == "mawk" || base == "nawk"
}

// awk is opaque if its program may run commands, or read and write other files,
// or is not on the command line.
func (c *command) awk(args []word) {
	for _, w := range args {
		if w.dynamic || strings.HasPrefix(w.text, "--") && len(w.text) > len("--") || awkLoads(w.text) ||
			slices.ContainsFunc(awkReach, func(s string) bool { return strings.Contains(w.text, s) }) {
			c.hide(opaque)
		}
	}
}

// awkReach are the texts without which a program only reads its operands.
var awkReach = []string{"|", ">", "system", "getline", "@", "ARG"}

// awkLoads reports whether an option loads a program or writes a file.
func awkLoads(option string) bool {
	if option == "" || option[0] != '-' {
		return false
	}
	cluster := option[1:]
	if i := strings.IndexAny(cluster, "vF"); i >= 0 {
		cluster = cluster[:i]
	}
	return strings.ContainsAny(cluster, "fiElopdD")
}
