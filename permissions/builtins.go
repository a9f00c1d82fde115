package permissions

import (
	"slices"
	"strings"
)

// naming are builtins whose operands are names of variables: a subscript of one
// is evaluated, and $(…) in it run.
var naming = []string{
	"read", "unset", "mapfile", "readarray", "getopts", "wait", "declare", "typeset", "local", "export", "readonly",
}

// declaring are those whose options -i and -n make values arithmetic and names.
var declaring = []string{"declare", "typeset", "local"}

// builtin is opaque where a builtin evaluates an argument or is given a command.
func (c *command) builtin(base string, args []word) {
	switch base {
	case "let", "compgen", "complete", "bind", "fc":
		if len(args) > 0 || c.fed {
			c.hide(opaque)
		}
	case "test", "[":
		c.names(values(args, "vR"))
	case "printf":
		c.formatted(args)
	case "hash", "enable":
		if slices.ContainsFunc(args, func(w word) bool { return w.dynamic || hasOption(w, "pf") }) {
			c.hide(opaque)
		}
	}
	if slices.Contains(naming, base) {
		c.names(args)
		if c.fed || slices.Contains(declaring, base) && anyHas(args, "in") {
			c.hide(opaque)
		}
	}
	if callback := values(args, "C"); slices.Contains(callbacks, base) && len(callback) > 0 {
		c.hide(opaque)
		c.static(callback[:1])
	}
}

// callbacks are builtins with an option -C whose value is a command.
var callbacks = []string{"compgen", "complete", "mapfile", "readarray"}

// names is opaque if a name may have a subscript, or if what is declared by an
// assignment or an option makes values run.
func (c *command) names(ws []word) {
	for _, w := range ws {
		name, _, assigned := strings.Cut(w.text, "=")
		if subscripted(w) || assigned && steers(name) {
			c.hide(opaque)
		}
	}
}

// formatted: printf -v names a variable; a dynamic format may turn out as -v.
func (c *command) formatted(args []word) {
	c.names(values(args[:min(len(args), 2)], "v"))
	if len(args) > 1 && args[0].dynamic && subscripted(args[1]) {
		c.hide(opaque)
	}
}
