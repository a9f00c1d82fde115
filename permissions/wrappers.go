package permissions

import (
	"cmp"
	"slices"
	"strings"
)

// wrapper is a command that runs the command after its options.
type wrapper struct {
	short    string   // options whose value is the next word
	flags    string   // options without a value; any other may have one
	glued    string   // options whose value, if any, is within their own word
	long     []string // long options whose value is the next word
	operands int      // words of its own before the command
	assigns  bool     // NAME=value before the command
	feeds    bool     // adds arguments from its input
}

// wrappers are seen through by deny and ask rules. Their options are those of
// the GNU, BSD and busybox programs of the name.
var wrappers = map[string]wrapper{
	"sudo": {
		short: "CDRTUacghprtu", flags: "ABEHKPSVbeiklnsvN", assigns: true,
		long: []string{
			"--auth-type", "--chdir", "--chroot", "--close-from", "--command-timeout", "--group",
			"--host", "--login-class", "--other-user", "--prompt", "--role", "--type", "--user",
		},
	},
	"doas": {short: "Cau", flags: "Lns"},
	"env": {
		short: "CLPSUau", flags: "0iv", assigns: true,
		long: []string{"--argv0", "--chdir", "--split-string", "--unset"},
	},
	"timeout": {short: "ks", flags: "fpv", long: []string{"--kill-after", "--signal"}, operands: 1},
	"nice":    {short: "n", flags: "0123456789", long: []string{"--adjustment"}},
	"nohup":   {},
	"xargs": {
		short: "EIJLPRSadns", flags: "0oprtx", glued: "eil", feeds: true,
		long: []string{
			"--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-procs",
			"--process-slot-var",
		},
	},
	"command": {flags: "pvV"},
	"builtin": {},
	"exec":    {short: "a", flags: "cl"},
	"setsid":  {flags: "cfw"},
	"stdbuf":  {short: "eio", long: []string{"--error", "--input", "--output"}},
	"ionice": {
		short: "Pcnpu", flags: "t",
		long: []string{"--class", "--classdata", "--pid", "--pgid", "--uid"},
	},
	"chrt": {
		short: "DPT", flags: "abdefimoprRvG", operands: 1,
		long: []string{"--sched-deadline", "--sched-period", "--sched-runtime"},
	},
	"time":    {short: "fo", flags: "aphlqv", long: []string{"--format", "--output"}},
	"busybox": {},
	"toybox":  {},
	"chroot":  {short: "Ggu", flags: "n", operands: 1, long: []string{"--groups", "--userspec"}},
	"jobs":    {flags: "lnprsx"},
	// zsh's and fish's.
	"noglob": {}, "nocorrect": {}, "repeat": {operands: 1}, "not": {}, "and": {}, "or": {}, "begin": {},
}

// unwrap returns the command that a wrapper runs.
func (c *command) unwrap(ws []word) ([]word, bool) {
	base := ws[0].base()
	if strings.HasPrefix(ws[0].text, "-") {
		// bash's `time` is a keyword without options; to other shells it is the
		// program, and these are its options.
		return ws[wrappers["time"].options(ws):], true
	}
	w, ok := wrappers[base]
	if !ok || base == "command" && len(ws) > 1 && hasOption(ws[1], "vV") {
		return nil, false // command -v only looks a name up
	}
	n := w.options(ws[1:])
	c.guess(w, ws, 1+n)
	rest := ws[min(1+n+w.operands, len(ws)):]
	if w.feeds {
		c.fed = true
		c.each(pseudoRead, values(ws[1:1+n], "a", "--arg-file"), false)
		rest = replaced(ws[1:1+n], rest)
	}
	c.steer(ws[1 : 1+n])
	return rest, true
}

// guess judges also what would run if an option that is not known here had the
// next word as its value.
func (c *command) guess(w wrapper, ws []word, end int) {
	if end < 2 || end >= len(ws) || !w.strange(ws[end-1].text) {
		return
	}
	c.inner(ws[min(end+1+w.operands, len(ws)):])
}

// strange reports whether a cluster ends with an option that is not known.
func (w wrapper) strange(text string) bool {
	if len(text) < 2 || text[0] != '-' || text[1] == '-' || strings.ContainsAny(text[1:], w.short+w.glued) {
		return false
	}
	return strings.IndexByte(w.flags, text[len(text)-1]) < 0
}

// steer is opaque if the wrapper sets a variable that says what runs.
func (c *command) steer(ws []word) {
	for _, w := range ws {
		if name, _, ok := strings.Cut(w.text, "="); ok && steers(name) {
			c.hide(opaque)
		}
	}
}

// replaced makes dynamic the words in which xargs puts its input.
func replaced(options, ws []word) []word {
	var marks []string
	for _, v := range values(options, "IJ") {
		marks = append(marks, v.text)
	}
	for _, w := range options {
		if hasOption(w, "i", "--replace") {
			marks = append(marks, cmp.Or(attached(w, "i").text, "{}"))
		}
	}
	out := slices.Clone(ws)
	for i := range out {
		for _, m := range marks {
			out[i].dynamic = out[i].dynamic || strings.Contains(out[i].text, m)
		}
	}
	return out
}

// options is how many words a wrapper's options and assignments are.
func (w wrapper) options(args []word) int {
	i, only := 0, false // only assignments follow --
	for i < len(args) {
		text := args[i].text
		n := w.own(text)
		if n == 0 || only && text[0] == '-' {
			break
		}
		i += n
		only = only || text == "--"
	}
	return min(i, len(args))
}

// own is how many words a wrapper's option or assignment takes; 0 is none.
func (w wrapper) own(text string) int {
	switch {
	case strings.HasPrefix(text, "--"):
		return 1 + w.longValue(text)
	case strings.HasPrefix(text, "-"):
		return 1 + w.shortValue(text[1:])
	case w.assigns && isAssignment(text):
		return 1
	}
	return 0
}

// longValue is 1 if the next word is the option's value. Long options may be
// shortened.
func (w wrapper) longValue(text string) int {
	if len(text) == len("--") || strings.Contains(text, "=") {
		return 0
	}
	for _, long := range w.long {
		if strings.HasPrefix(long, text) {
			return 1
		}
	}
	return 0
}

// shortValue is 1 if the cluster ends with an option that takes a value.
func (w wrapper) shortValue(cluster string) int {
	i := strings.IndexAny(cluster, w.short+w.glued)
	if i >= 0 && i == len(cluster)-1 && strings.IndexByte(w.short, cluster[i]) >= 0 {
		return 1
	}
	return 0
}

// isAssignment: env takes any name, even one that is no variable's in a shell.
func isAssignment(text string) bool { return strings.Index(text, "=") > 0 }
