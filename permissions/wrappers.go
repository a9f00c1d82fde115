package permissions

import "strings"

// wrapper is a command that runs the command after its options.
type wrapper struct {
	short    string   // options whose value is the next word
	long     []string // the same, long
	operands int      // words of its own before the command
	assigns  bool     // NAME=value before the command
	feeds    bool     // adds arguments from its input
}

// wrappers are seen through by deny and ask rules.
var wrappers = map[string]wrapper{
	"sudo": {
		short: "CDRTUghprtu", assigns: true,
		long: []string{
			"--chdir", "--chroot", "--close-from", "--command-timeout", "--group", "--host",
			"--other-user", "--prompt", "--role", "--type", "--user",
		},
	},
	"doas": {short: "Cu"},
	"env": {
		short: "CSu", assigns: true,
		long: []string{"--chdir", "--split-string", "--unset", "--argv0"},
	},
	"timeout": {short: "ks", long: []string{"--kill-after", "--signal"}, operands: 1},
	"nice":    {short: "n", long: []string{"--adjustment"}},
	"nohup":   {},
	"xargs": {
		short: "EILPadns", feeds: true,
		long: []string{
			"--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-procs",
			"--process-slot-var",
		},
	},
	"command": {},
	"builtin": {},
	"exec":    {short: "a"},
	"setsid":  {},
	"stdbuf":  {short: "eio", long: []string{"--error", "--input", "--output"}},
	"ionice":  {short: "Pcnpu", long: []string{"--class", "--classdata", "--pid", "--pgid", "--uid"}},
	"chrt":    {short: "DPT", operands: 1},
	"time":    {short: "fo", long: []string{"--format", "--output"}},
	"busybox": {},
	"toybox":  {},
	"chroot":  {operands: 1, long: []string{"--groups", "--userspec"}},
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
	i := 1 + w.options(ws[1:]) + w.operands
	c.fed = c.fed || w.feeds
	return ws[min(i, len(ws)):], true
}

// options is how many words a wrapper's options and assignments are.
func (w wrapper) options(args []word) int {
	i := 0
	for i < len(args) {
		n := w.own(args[i].text)
		if n == 0 {
			break
		}
		i += n
		if args[i-n].text == "--" {
			break
		}
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
	i := strings.IndexAny(cluster, w.short)
	if i >= 0 && i == len(cluster)-1 {
		return 1
	}
	return 0
}

func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r > 127 || !isWordByte(byte(r))
	}) < 0
}
