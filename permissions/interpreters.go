package permissions

import (
	"slices"
	"strings"
)

// interpreters run a program text; it is not shell, so nothing in it is seen.
var interpreters = []string{
	"python", "pypy", "perl", "node", "nodejs", "ruby", "php", "lua", "deno", "bun", "rscript",
	"osascript", "tclsh", "wish", "pwsh", "powershell", "luajit", "ipython", "irb", "jruby", "ts-node", "tsx", "qjs",
	"julia", "octave", "elixir", "iex", "erl", "r", "ghc", "runghc", "groovy", "scala", "guile", "racket", "sbcl",
	"clisp", "ocaml", "raku", "gst",
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
	"vi", "vim", "nvim", "vimdiff", "gvim", "ex", "emacs", "npx", "bunx", "uvx", "nix-shell", "direnv", "dotenv",
	"screen", "tmux", "dtach", "abduco", "xterm", "rlwrap", "socat", "sshpass", "autossh", "mosh", "rsh", "pdsh",
	"clush", "ansible", "wsl", "cmd", "linux32", "linux64", "i386", "x86_64", "sg", "newgrp", "chpst", "softlimit",
	"setuidgid", "envdir", "envuidgid", "tini", "dumb-init", "catchsegv", "eatmydata", "faketime", "fakechroot",
	"cgexec", "choom", "cpulimit", "perf", "rr", "valgrind", "hyperfine", "watchexec", "nodemon", "inotifywait",
	"run-parts", "run-one", "systemd-cat", "systemd-inhibit", "chronic", "ifne", "pee", "mispipe", "logrotate",
	"rename", "prename", "dc", "m4", "swipl", "jshell", "bpftrace", "xdg-open", "open",
}

// isLauncher counts the dynamic loader, which runs the file that it is given.
func isLauncher(base string) bool {
	return slices.Contains(launchers, base) || strings.HasPrefix(base, "ld-linux") || strings.HasPrefix(base, "ld-musl")
}

// interpreter is opaque with a program text, or without a script: then its
// program comes on the input. Which options take a value differs between them,
// so an option counts wherever it stands. The script is read, and what options
// before it name.
func (c *command) interpreter(args []word) {
	script, program := false, false
	for i, w := range args {
		option := len(w.text) > 1 && w.text[0] == '-'
		program = program || option && isProgram(w.text)
		if !script && !program {
			c.each(pseudoRead, operands(args[i:i+1]), false)
		}
		script = script || !option && w.text != "-"
		if w.unclear() || isInputWord(w.text) {
			c.hide(opaque)
		}
	}
	if program || !script {
		c.hide(opaque)
	}
}

// isInputWord reports whether an interpreter takes a word for its input, or what
// follows it for a program.
func isInputWord(text string) bool {
	return text == "-" || text == "eval" || strings.HasPrefix(text, "/dev/") || strings.HasPrefix(text, "/proc/")
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
