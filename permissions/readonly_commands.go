package permissions

// readOnlyCommands are the commands that only read, with the options with which
// that is so. A command that is not here, or has another option, is not known to
// only read. Each line is:
//
//	-abc     options without a value, alone or clustered
//	-n:      an option with a value, attached or as the next word
//	--all    a long option without a value
//	--max=   a long option with a value, after = or as the next word; beside
//	         --max, after = or not at all
//	@name    an option by a whole word (find's); @name: has a value
//	<1       at most so many operands; without, any number
//	apart    short options don't cluster: what follows one in its word is another
//	         one with another meaning
//	!text    a word that holds it is not known to only read
//
// What is left out, and why: options that write (sort -o, tree -o, git diff
// --output, uniq's and xxd's second operand, find -fprint -delete), that run
// something (find -exec, rg --pre -z, git grep -O, --ext-diff, --textconv, diff
// --paginate, sort --compress-program), that set something (date, hostname x, git
// branch x, git config a b), that check signatures with a program (%G), that show
// the environment (jq's env) or read a module, that take names from elsewhere (--files0-from), and
// that never end (tail -f). sed, awk, less, xargs and env are programs of their
// own.
var readOnlyCommands = map[string]string{
	"ls": "-1ABCFGHLNQRSUXabcdfghiklmnopqrstuvx --all --almost-all --color --color= --directory --full-time --group-directories-first" +
		" --human-readable --inode --recursive --reverse --si --size --sort= --time= --time-style=",
	"cat":       "-AbeEnstTuv --number --number-nonblank --show-all --show-ends --squeeze-blank",
	"tac":       "",
	"nl":        "-b: -n: -s: -v: -w:",
	"head":      "-0123456789qvz -c: -n: --bytes= --lines= --quiet --verbose",
	"tail":      "-0123456789qvz -c: -n: --bytes= --lines= --quiet --verbose",
	"wc":        "-clmwL --bytes --chars --lines --words --max-line-length",
	"cut":       "-sz -b: -c: -d: -f: --bytes= --characters= --complement --delimiter= --fields= --only-delimited --output-delimiter=",
	"tr":        "-Ccdst --complement --delete --squeeze-repeats",
	"sort":      "-bcCdfghiMmnRrsuVz -k: -t: --check --field-separator= --key= --numeric-sort --reverse --unique --version-sort",
	"uniq":      "-cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case <1",
	"comm":      "-123",
	"diff":      "-0123456789abBcdiNqrsuwy -U: -C: -x: --brief --color --color= --exclude= --ignore-all-space --recursive --side-by-side --unified=",
	"cmp":       "-bls --print-bytes --silent --verbose",
	"stat":      "-Lf -c: --dereference --format= --printf=",
	"file":      "-bhiL --brief --mime --mime-type --mime-encoding",
	"du":        "-abcDhHkLlmsSx -d: --all --apparent-size --human-readable --max-depth= --summarize --total",
	"df":        "-ahHikTP --human-readable --inodes --portability --print-type",
	"pwd":       "-LP <0",
	"echo":      "-eEn",
	"true":      "",
	"false":     "",
	"whoami":    "<0",
	"id":        "-gGnru",
	"uname":     "-amnoprsv --all <0",
	"which":     "-a",
	"realpath":  "-eLmPsz --relative-to= --relative-base=",
	"readlink":  "-efmnz",
	"basename":  "-az -s:",
	"dirname":   "-z",
	"md5sum":    "-bt",
	"sha1sum":   "-bt",
	"sha256sum": "-bt",
	"strings":   "-afo -n: -t:",
	"od":        "-abcdhovx -A: -j: -N: -t: -w:",
	"xxd":       "apart -bip -c: -l: -s: <1",
	"tree":      "apart -adDfFgGhilnpstuvC -I: -L: -P: --dirsfirst --du --gitignore --noreport --prune",
	"jq":        "!import !include !env !ENV -aCceMnrSsj --arg= --compact-output --exit-status --raw-input --raw-output --slurp --sort-keys --tab --indent=",
	"grep":      grepOptions + " -dRr --directories= --exclude= --exclude-dir= --include= --recursive --null",
	"egrep":     grepOptions + " -Rr --exclude= --exclude-dir= --include= --recursive",
	"fgrep":     grepOptions + " -Rr --exclude= --exclude-dir= --include= --recursive",
	"rg": "-0123456789.FHILNPSUacilnopqsuvwx -A: -B: -C: -E: -M: -T: -d: -e: -g: -j: -m: -t: --after-context= --before-context= --case-sensitive" +
		" --color= --column --context= --count --count-matches --files --files-with-matches --files-without-match --fixed-strings" +
		" --glob= --heading --hidden --iglob= --ignore-case --invert-match --json --line-number --max-columns= --max-count=" +
		" --max-depth= --multiline --no-heading --no-ignore --no-line-number --only-matching --pcre2 --regexp= --smart-case" +
		" --sort= --stats --type= --type-list --type-not= --vimgrep --word-regexp",
	"find": "@-H @-L @-P @-O: @-a @-amin: @-and @-anewer: @-atime: @-cmin: @-ctime: @-daystart @-depth @-empty @-executable @-false" +
		" @-follow @-group: @-iname: @-inum: @-ipath: @-iregex: @-links: @-ls @-maxdepth: @-mindepth: @-mmin: @-mount @-mtime:" +
		" @-name: @-newer: @-nogroup @-not @-nouser @-o @-or @-path: @-perm: @-print @-print0 @-printf: @-prune @-quit @-readable" +
		" @-regex: @-regextype: @-size: @-true @-type: @-user: @-wholename: @-writable @-xdev @-xtype:",
	"git status":     "-bsuvz --ahead-behind --branch --ignored --long --no-renames --porcelain --short --show-stash --untracked-files=",
	"git log":        gitDiffOptions + gitLogOptions,
	"git show":       gitDiffOptions + gitLogOptions,
	"git diff":       gitDiffOptions + " --cached --staged --merge-base",
	"git blame":      "-bcefklMnpstwC -L: --abbrev= --date= --line-porcelain --porcelain --root --show-email --show-name --show-number",
	"git grep":       grepOptions + "  -p -W --all-match --and --break --cached --heading --not --or --show-function --function-context --untracked",
	"git ls-files":   "-cdikmostuz --abbrev= --cached --deleted --eol --exclude-standard --ignored --modified --others --stage",
	"git ls-tree":    "-dlrtz --abbrev= --full-name --full-tree --long --name-only --name-status --object-only",
	"git rev-parse":  "-q --abbrev-ref --absolute-git-dir --all --git-dir --is-bare-repository --is-inside-work-tree --quiet --short --show-prefix --show-toplevel --symbolic-full-name --verify",
	"git rev-list":   gitLogOptions + " --count --objects",
	"git describe":   "--abbrev= --all --always --candidates= --contains --exact-match --exclude= --first-parent --long --match= --tags",
	"git cat-file":   "-epst",
	"git shortlog":   "-cens --author= --committer --email --group= --no-merges --numbered --since= --summary --until=",
	"git merge-base": "-a --all --fork-point --independent --is-ancestor --octopus",
	"git branch":     "-arv --all --no-color --remotes --show-current --verbose <0",
	"git tag":        "-l --list <0",
	"git remote":     "-v --verbose <0",
	"git stash list": gitLogOptions + " <0",
	"git config":     "-lz --get= --get-all= --global --list --local --name-only --show-origin --show-scope --system <0",
}

// Options that several of them share.
const (
	grepOptions = "-0123456789EFGHILPabchilnoqsvwxz -A: -B: -C: -e: -m: --after-context= --basic-regexp --before-context= --binary" +
		" --color --color= --context= --count --extended-regexp --files-with-matches --files-without-match --fixed-strings" +
		" --ignore-case --invert-match --line-number --max-count= --max-depth= --no-filename --only-matching" +
		" --perl-regexp --quiet --regexp= --with-filename --word-regexp"
	gitDiffOptions = "-0123456789abBCDMRpsuwzW -U: --abbrev --binary --check --color --color= --color-words --compact-summary" +
		" --cumulative --diff-algorithm= --diff-filter= --dirstat --exit-code --find-copies --find-renames --full-index" +
		" --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-space-change --minimal" +
		" --name-only --name-status --no-color --no-ext-diff --no-patch --no-prefix --no-renames --no-textconv --numstat" +
		" --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --raw --relative --shortstat --stat" +
		" --stat= --summary --text --unified= --word-diff -G: -S:"
	gitLogOptions = " !%G -0123456789EFgi -L: -n: --abbrev-commit --after= --all --all-match --ancestry-path --author= --author-date-order" +
		" --before= --boundary --branches --cherry-pick --children --committer= --date= --date-order --decorate --decorate=" +
		" --extended-regexp --first-parent --fixed-strings --follow --format= --full-history --graph --grep= --left-right" +
		" --max-count= --merges --no-decorate --no-merges --oneline --parents --pretty --pretty= --regexp-ignore-case --remotes" +
		" --reverse --since= --skip= --source --tags --topo-order --until="
)
