package permissions

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// planned judges a command in plan mode that spares what only reads.
func planned(t require.TestingT, own Rules, command string) Decision {
	plan, err := Compile(Origin{
		Source: SourcePlanMode, SparesReading: true, Rules: Rules{Deny: []string{"write(*)", "execute(*)", "other(*)"}},
	})
	require.NoError(t, err)
	mine, err := Compile(Origin{Source: SourceSession, Rules: own})
	require.NoError(t, err)
	text := appendObjectForTest(args{"command": command})
	return Join(mine, plan).Decide(Analyse(Request{Tool: shell, Arguments: string(text), Cwd: cwd}), ModePlan)
}

func TestWhatOnlyReadsIsSparedByPlanMode(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"ls", "ls -la src", "cat a.go b.go", "head -20 a", "head -n 20 a", "tail -n5 a", "wc -l < /dev/null; ls"[:5], "git status", "git status --short",
		"git log", "git log --oneline -5 -- src", "git log --stat", "git log --format=%h --since 2.weeks", "git --no-pager log -p a.go",
		"git diff HEAD~1 --stat", "git diff --cached", "git show HEAD:a.go", "git blame -L 1,5 a.go", "git grep -n foo", "git branch -a",
		"git config --get user.name", "git stash list", "git rev-parse --show-toplevel",
		"grep -rn foo src", "grep --color foo a", "rg -n foo -g '*.go'", "find . -name '*.go' -type f", `find . \( -name a -o -name b \) -print`,
		"ls && git status; cat a | grep x | sort -u | head", "jq -r .name package.json", "sort -k 2 a | uniq -c", "ls src/*.go", "cat ./*.md",
		"echo hi", "pwd", "tree -L 2", "tree -a -L 2", "diff -u a b", "uniq src/a", "cat /srv/*/a", "cat devel/a procs", "stat -c %s a", "cat 'a b'", "cat -- a",
	} {
		require.Equal(t, Decision{Effect: Ask, Tier: TierMode, Source: SourceMode}, planned(t, Rules{}, command), command)
		require.Equal(t, Allow, planned(t, allow("execute(*)"), command).Effect, command)
		require.Equal(t, Deny, planned(t, Rules{Deny: []string{"execute(*)"}}, command).Effect, "somebody's own deny is not spared")
	}
	require.Equal(t, Deny, planned(t, deny("read(.env)"), "cat .env").Effect)
	require.Equal(t, SourcePlanMode, planned(t, allow("*"), "cat a > b").Source)
}

// writing are commands that write or run something, or that nobody knows not to.
var writing = []string{
	"rm x", "touch x", "cat a > b", "cat < a", "cat a >> b", "ls 2>&1", "ls > /dev/null", "ls &", "ls |& cat", "! ls", "(ls)", "{ ls; }",
	"cat $(rm x)", "cat `rm x`", "cat <(rm x)", "ls $x", `ls "$x"`, "x=1 ls", "GIT_PAGER=sh git log", "x=1", "if :; then ls; fi", "for x in a; do ls; done",
	"f() { ls; }; f", "cat <<E\nx\nE", "cat <<< x", "sudo ls", "env ls", "xargs ls", "command ls", "eval ls", "sh -c ls", "/bin/ls", "./ls", `\ls`, `"ls"`, "l''s",
	"cd x; ls", "cat *", "ls *.go", "cat -*", "sort {-o,x}", "[ -f a ]", "[[ -f a ]]", "((1))", "let x=1", "declare x=1", "export x=1", "coproc ls", "time ls", "exec ls",
	"git diff --ext-diff", "git diff --output=x", "git diff --output x", "git diff --outpu=x", "git log --output=x", "git log -p --textconv", "git show --ext-diff",
	"git -c core.pager=x log", "git -C x log", "git --git-dir=x log", "git --exec-path=x log", "git --paginate log", "git grep -O x", "git grep -Ovi x",
	"git grep --open-files-in-pager x", "git grep --ext-grep x", "git log -Ox", "git branch x", "git branch -D x", "git branch --edit-description", "git tag x", "git tag -d x",
	"git remote add a b", "git config a b", "git config --get a b", "git config --unset a", "git stash", "git stash pop", "git checkout x", "git commit -m x", "git fetch",
	"git reflog expire", "git cat-file --textconv x", "git diff --no-index a b", "git difftool", "git log --exec=x", "git rev-parse --parseopt", "git status --exec",
	"git 'log' --output=x", "git log -- --output=x", "git log --since --output=x", "git log --grep --output=x", "git show -- --ext-diff", "git foo",
	"find . -delete", "find . -exec rm {} +", "find . -execdir x ;", "find . -ok x ;", "find . -okdir x ;", "find . -fprint x", "find . -fprint0 x", "find . -fprintf x y",
	"find . -fls x", "find -- . -delete", "find . -name -delete", "find . -newer -delete", "find -files0-from x",
	"rg --pre x y", "rg --pre=x y", "rg --pr=x y", "rg -z y", "rg --search-zip y", "rg --hostname-bin=x y", "rg -nz y", "rg -f x y", "rg --debug y",
	"sort -o x y", "sort -ox y", "sort --output=x y", "sort --outp=x y", "sort -uo x", "sort --compress-program=x y", "sort -T x y", "sort -- -o x", "sort -k -o x", "sort --files0-from=x",
	"tree -o x", "tree -R", "tree -ao x", "tree --fromfile x", "uniq a b", "uniq -c a b", "xxd a b", "xxd -r a", "tail -f a", "tail --follow a", "tail -F a",
	"diff -l a b", "diff --paginate a b", "date", "date 01010000", "hostname x", "sed -n 1p a", "sed -i s/a/b/ a", "awk 1 a", "less a", "more a", "vi a", "tee a", "dd if=a", "cp a b",
	"jq -f x y", "jq --from-file x", "jq -L x y", "file -C -m x", "file -z a", "base64 -o x a", "printf -v a x", "printf x", "test -f a", "python a", "make", "npm test", "go test ./...",
	"ls --color -x --sort -o", "df x --sync", "grep -f x y", "grep --file=x y", "grep --exclude-from=x y", "uniq f{1,2}", "uniq a*", "uniq -f 1{,x,out}", "xxd f?", "xxd -bs a b", "xxd -bp a", "tree -L2o out", "tree -Io pat out", "tree -Po pat out", "tree -aL 2",
	"git log --format=%G?", "git log --format %GS", "git show --pretty=%GG", "jq -n 'import \"x\" as $y; $y'", "jq -n env", "jq -n '$ENV'", "jq 'include \"x\"; .' a",
	"cat /dev/watchdog", "head -c 1 /dev/sda", "cat /dev/../dev/tty", "cat ../../dev/tty", "cat /d*/tty", "cat /{dev,x}/tty", "cat ../../{d,}ev/tty", "cat ~/../../dev/tty", "wc /proc/kmsg", "ls \\\r\nrm x", "git log\r", "ls\r\nls", "ls #\r\nrm x", "ls # \\\nrm x", "# \\\nrm x", "ls;#\\\nrm x", "ls #\\\nls",
	"", "#", ":", "ls; rm x", "ls | rm x", "ls || rm x", "ls\nrm x", "cat a 'b", "pwd x", "git stash list x",
}

func TestWhatIsNotKnownToOnlyReadStaysDenied(t *testing.T) {
	t.Parallel()
	for _, command := range writing {
		require.Equal(t, Deny, planned(t, allow("*"), command).Effect, command)
	}
}

func TestOneWritingCommandAmongReadersDeniesAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bad := rapid.SampledFrom(writing).Draw(t, "writing")
		if strings.TrimSpace(bad) == "" || strings.HasPrefix(bad, "#") {
			return // no command at all
		}
		frame := rapid.SampledFrom([]string{"ls; %", "%; ls", "ls && %", "cat a | %", "% | cat", "ls\n%", "(%)", "{ %; }", "ls <(%)", "cat \"$(%)\""}).Draw(t, "frame")
		require.Equal(t, Deny, planned(t, allow("*"), strings.ReplaceAll(frame, "%", bad)).Effect)
	})
}

// harmful are options that write or run something, of any of the programs.
var harmful = []string{
	"--output=x", "--output", "--ext-diff", "--textconv", "--open-files-in-pager", "--pre=x", "--pre", "--search-zip", "--hostname-bin=x",
	"--compress-program=x", "--files0-from=x",
	"--paginate", "--exec-path=x", "--upload-pack=x", "--set=x", "--unset=x", "--add=x", "--edit",
}

// harmfulTo are short options and words that are harmful to one program; to
// another they may be a value.
var harmfulTo = map[string][]string{
	"find":     {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from"},
	"sort":     {"-o", "-ox", "-uo", "-T"},
	"tree":     {"-o", "-ox", "-ao", "-R"},
	"rg":       {"-z", "-nz", "-f"},
	"git grep": {"-O", "-Oless", "-nO", "-f"},
	"git log":  {"-O", "-Ox"},
	"git diff": {"-O", "-Ox"},
	"tail":     {"--follow", "-f", "-F", "-qf"},
	"xxd":      {"-r", "-pr"},
	"file":     {"-C", "-z", "-m"},
	"jq":       {"-f", "-L"},
	"grep":     {"-f"},
	"diff":     {"-l"},
}

func TestNoReaderPassesWithAHarmfulOption(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range readOnlyCommands {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "command")
		if name == "echo" {
			return // it only says it
		}
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "-n", "-r", "--", "--color", "--stat", "-name", "-5", "x y", "HEAD"}), 0, 3)
		before, after := words.Draw(t, "before"), words.Draw(t, "after")
		line := slices.Concat([]string{name}, before, []string{rapid.SampledFrom(slices.Concat(harmful, harmfulTo[name])).Draw(t, "option")}, after)
		require.Equal(t, Deny, planned(t, allow("*"), strings.Join(line, " ")).Effect)
	})
}

func TestOnlyShellToolsInTheirDirectoryAreSpared(t *testing.T) {
	t.Parallel()
	p, err := Compile(Origin{Source: SourcePlanMode, SparesReading: true, Rules: Rules{Deny: []string{"write(*)", "execute(*)", "other(*)"}}})
	require.NoError(t, err)
	for _, c := range []struct {
		tool Tool
		args args
		want Effect
	}{
		{shell, args{"command": "ls"}, Ask},
		{shell, args{"command": "ls", "directory": "."}, Ask},
		{shell, args{"command": "ls", "directory": cwd}, Ask},
		{shell, args{"command": "ls", "directory": "sub"}, Deny},
		{shell, args{"command": "ls", "url": "https://x.example"}, Deny},
		{shell, args{"command": "ls", "cmd": "rm x"}, Deny},
		{shell, args{"command": "ls", "Command": "rm x"}, Deny},
		{shell, args{"command": []string{"ls"}}, Deny},
		{shell, args{}, Deny},
		{mystery, args{"command": "ls"}, Deny},
		{edit, args{"command": "ls", "path": "a"}, Deny},
	} {
		require.Equal(t, c.want, p.Decide(analyse(t, c.tool, c.args), ModePlan).Effect, "%s %v", c.tool.Name, c.args)
	}
}

func TestEveryLineOfTheListReads(t *testing.T) {
	t.Parallel()
	for name, use := range readOnlyUses {
		require.LessOrEqual(t, len(strings.Fields(name)), maxCommandName, name)
		require.NotContains(t, use.flags+use.valued, "-", name)
		require.NotContains(t, use.flags+use.valued, ":", name)
		require.Equal(t, Ask, planned(t, Rules{}, name).Effect, name)
	}
}

func TestDevicesAreNotReadWhereverTheSessionWorks(t *testing.T) {
	t.Parallel()
	plan, err := Compile(Origin{Source: SourcePlanMode, SparesReading: true, Rules: Rules{Deny: []string{"execute(*)"}}})
	require.NoError(t, err)
	for dir, command := range map[string]string{"/": "cat dev/tty", "/dev": "cat tty", "/srv": "cat ../dev/tty", "/proc/1": "cat environ", "": "cat dev/tty"} {
		a := Analyse(Request{Tool: shell, Arguments: string(appendObjectForTest(args{"command": command})), Cwd: dir})
		require.Equal(t, Deny, plan.Decide(a, ModePlan).Effect, "%s in %q", command, dir)
	}
}
