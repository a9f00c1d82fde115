package permissions

import (
	"slices"
	"strings"
)

// carrier is how a program is told on its command line to run something. What it
// is told is seldom shell as it stands, so it is not judged: the command is
// opaque.
type carrier struct {
	option fileOption // its value is run
	words  []string   // words, alone or before =: subcommands, long options with one dash
	starts []string   // how a word begins
	holds  []string   // texts within a word
}

// Carriers that go by several names.
var (
	archiver = carrier{option: fileOption{"IF", []string{
		"--to-command", "--use-compress-program", "--checkpoint-action", "--rsh-command",
		"--info-script", "--new-volume-script", "--rmt-command",
	}}}
	finder    = carrier{option: fileOption{"xX", []string{"--exec", "--exec-batch"}}}
	paged     = carrier{option: fileOption{"", []string{"--pager"}}}
	listener  = carrier{option: fileOption{"ec", []string{"--exec", "--sh-exec", "--lua-exec"}}}
	maker     = carrier{option: fileOption{"", []string{"--eval"}}, words: []string{"-", "-f-"}, holds: []string{"="}}
	runs      = carrier{words: []string{"run", "exec", "x", "dlx"}}
	contains  = carrier{words: []string{"run", "exec", "create", "debug"}}
	compiles  = carrier{starts: []string{"-wrapper", "-fplugin"}}
	databases = carrier{holds: []string{`\`, "system", "PROGRAM", "program"}}
)

// carriers follow execute rules, unless they are told to run something.
var carriers = map[string]carrier{
	"sort":    {option: fileOption{"", []string{"--compress-program"}}},
	"split":   {option: fileOption{"", []string{"--filter"}}},
	"rg":      {option: fileOption{"", []string{"--pre", "--hostname-bin"}}},
	"rsync":   {option: fileOption{"e", []string{"--rsh", "--rsync-path"}}},
	"install": {option: fileOption{"", []string{"--strip-program"}}},
	"wget":    {option: fileOption{"", []string{"--use-askpass"}}},
	"fzf":     {option: fileOption{"", []string{"--preview", "--bind"}}},
	"scp":     {option: fileOption{"SoF", nil}},
	"sftp":    {option: fileOption{"SoFD", nil}},
	"zip":     {option: fileOption{"T", []string{"--unzip-command"}}},
	"tcpdump": {option: fileOption{"z", nil}},
	"man":     {option: fileOption{"PH", []string{"--pager", "--html"}}},
	"less":    {option: fileOption{"k", []string{"--lesskey-file", "--lesskey-src", "--lesskey-content"}}, starts: []string{"+"}},
	"more":    {starts: []string{"+"}},
	"tar":     archiver, "bsdtar": archiver,
	"fd": finder, "fdfind": finder,
	"ag": paged, "ack": paged, "bat": paged, "batcat": paged,
	"nc": listener, "ncat": listener, "netcat": listener,
	"make": maker, "gmake": maker,
	"jq":   {holds: []string{"import", "include"}}, // it reads a module
	"psql": databases, "mysql": databases, "mariadb": databases,
	"sqlite3": {starts: []string{"."}, holds: []string{"\n.", "readfile", "writefile"}, words: []string{"-cmd", "--cmd", "-init", "--init"}},
	"go":      {words: []string{"-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool"}},
	"cc":      compiles, "gcc": compiles, "g++": compiles, "clang": compiles, "clang++": compiles,
	"npm": {words: []string{"exec", "x"}}, "pnpm": {words: []string{"exec", "dlx"}}, "yarn": {words: []string{"exec", "dlx"}},
	"bundle": runs, "uv": runs, "poetry": runs, "pipenv": runs, "pdm": runs, "hatch": runs, "conda": runs, "mamba": runs, "mise": runs,
	"docker": contains, "podman": contains, "nerdctl": contains, "docker-compose": contains, "kubectl": contains, "oc": contains,
	"nix":       {words: []string{"run", "shell", "develop"}},
	"systemctl": {words: []string{"edit"}}, "machinectl": {words: []string{"shell"}}, "vagrant": {words: []string{"ssh"}},
}

// carries is opaque if a program is told to run something.
func (c *command) carries(base string, args []word) {
	k, ok := carriers[base]
	if !ok {
		return
	}
	if base == "tar" && len(args) > 0 && !args[0].dynamic && !strings.HasPrefix(args[0].text, "-") {
		args = slices.Clone(args)
		args[0].text = "-" + args[0].text // the first word of tar is options
	}
	if anyHas(args, k.option.short, k.option.long...) || slices.ContainsFunc(args, k.tells) {
		c.hide(opaque)
	}
}

func (k *carrier) tells(w word) bool {
	name, _, _ := strings.Cut(w.text, "=")
	return slices.Contains(k.words, name) ||
		slices.ContainsFunc(k.starts, func(s string) bool { return strings.HasPrefix(w.text, s) }) ||
		slices.ContainsFunc(k.holds, func(s string) bool { return strings.Contains(w.text, s) })
}
