package permissions

import (
	"slices"
	"strings"
)

// gitOwn are git's own options, before the subcommand; those with a value take
// the next word.
var gitOwn = wrapper{
	short: "Cc", flags: "hpvP",
	long: []string{"--config-env", "--git-dir", "--namespace", "--work-tree", "--super-prefix", "--attr-source"},
}

// gitCarriers are the subcommands that run something, always or if told so.
var gitCarriers = map[string]carrier{
	"bisect": {words: []string{"run"}}, "submodule": {words: []string{"foreach"}}, "hook": {words: []string{"run"}},
	"filter-branch": always, "difftool": always, "mergetool": always, "send-email": always, "daemon": always, "instaweb": always,
	"rebase": {option: fileOption{"xi", []string{"--exec", "--interactive"}}},
	"clone":  {option: fileOption{"uc", []string{"--upload-pack", "--config", "--template"}}},
	"init":   {option: fileOption{"", []string{"--template"}}},
	"fetch":  uploads, "pull": uploads, "ls-remote": uploads, "fetch-pack": uploads,
	"push": receives, "send-pack": receives,
	"archive": {option: fileOption{"", []string{"--exec", "--remote"}}},
	"grep":    {option: fileOption{"O", []string{"--open-files-in-pager"}}},
}

var (
	always   = carrier{starts: []string{""}}
	uploads  = carrier{option: fileOption{"", []string{"--upload-pack", "--exec"}}}
	receives = carrier{option: fileOption{"", []string{"--receive-pack", "--exec"}}}
)

// Subcommands that write the files that they name, and those that write what a
// commit, a patch or nobody names.
var (
	gitWrites  = []string{"checkout", "restore", "rm", "mv", "clean"}
	gitRewrite = []string{
		"checkout", "switch", "clean", "reset", "stash", "merge", "pull", "rebase", "cherry-pick", "revert", "apply", "am",
		"read-tree", "checkout-index", "filter-branch", "bisect", "sparse-checkout",
	}
)

// git is opaque where it is told what to run, and writes what its subcommand does.
func (c *command) git(args []word) {
	n := gitOwn.options(args)
	if anyHas(args[:n], "c", "--config-env", "--exec-path") || slices.ContainsFunc(args, isTransport) {
		c.hide(opaque)
	}
	if n == len(args) {
		return
	}
	sub, rest := args[n].text, args[n+1:]
	if k := gitCarriers[sub]; anyHas(rest, k.option.short, k.option.long...) || k.always() || slices.ContainsFunc(rest, k.tells) ||
		args[n].unclear() || sub == "config" && configures(rest) {
		c.hide(opaque)
	}
	c.gitFiles(sub, rest)
}

func (k *carrier) always() bool { return slices.Contains(k.starts, "") }

// isTransport knows a remote that is a command: ext::sh -c …
func isTransport(w word) bool { return strings.Contains(w.text, "ext::") }

// configures reports whether git config does more than show: what it sets may say
// what runs, an alias or a hook.
func configures(args []word) bool {
	ops := operands(args)
	switch {
	case anyDynamic(args), anyHas(args, "e", gitSetters...):
		return true
	case anyHas(args, "l", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list"), len(ops) == 0:
		return false
	case len(ops) == 1:
		return ops[0].text == "edit"
	}
	return ops[0].text != "get" && ops[0].text != "list"
}

// gitSetters are options with which git config changes something.
var gitSetters = []string{"--edit", "--unset", "--unset-all", "--add", "--replace-all", "--rename-section", "--remove-section"}

// gitFiles adds what a subcommand writes.
func (c *command) gitFiles(sub string, args []word) {
	c.each(pseudoWrite, values(args, "", "--output", "--output-directory"), false)
	if sub == "archive" || sub == "format-patch" {
		c.each(pseudoWrite, values(args, "o"), true)
	}
	if slices.Contains(gitWrites, sub) {
		c.each(pseudoWrite, operands(args), true)
	}
	shows := sub == "stash" && len(args) > 0 && (args[0].text == "list" || args[0].text == "show")
	if slices.Contains(gitRewrite, sub) && !shows {
		c.file(pseudoWrite, word{dynamic: true}, false)
	}
}
