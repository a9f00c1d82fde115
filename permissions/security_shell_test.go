package permissions

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDeniedCommandsAreDeniedInEverySpelling(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"execute(rm *)": {
			"rm", "rm -fr x", "rm  x", "rm\tx", `\rm x`, `"rm" x`, `'rm' x`, `r'm' x`, `r""m x`, `$'rm' x`,
			`$'\x72m' x`, `$'\162m' x`, `$'\u0072m' x`, `r$'m' x`, `$"rm" x`, `"r\m"; rm x`, "r\\\nm x", "/bin/rm x", "./rm x", `"/bin/rm" x`, "~/bin/rm x", "rm -fr x &", "! rm x",
			"true # \\\nrm x", "true;# \\\\\\\nrm x", "# \\\n# x \\\nrm x", "(true)# \\\nrm x", "$(true # \\\nrm x\n)", "true # \\\r\nrm x", "sh -c 'true # \\\nrm x'", "coproc rm time x", "rm\\", "rm x; rm\\\n\\", `true $'\'; rm x #'`, `sh -c "true \$'\\'; rm x #'"`, "true \\\r\nrm x", "true\rrm x", "rm\r\n", "rm x\r\n", "echo \\\r\n\\\r\nrm x", "sh -c 'true \\\r\nrm x'",
			"time rm x", "true; rm x", "true && rm x", "true || rm x", "true | rm x", "true |& rm x",
			"true & rm x", "true\nrm x", "{ rm x; }", "(rm x)", "((1)); rm x", "if rm x; then :; fi",
			"while :; do rm x; done", "for i in 1; do rm x; done", "case a in a) rm x;; esac",
			"f() { rm x; }; f", "function f { rm x; }", "echo $(rm x)", "echo `rm x`", "echo \"$(rm x)\"",
			"echo \"`rm x`\"", "echo ${a:-$(rm x)}", "echo $(( $(rm x) ))", "a=$(rm x)", "a=$(rm x) b", "export a=$(rm x)",
			"[[ -n $(rm x) ]]", "cat <(rm x)", "tee >(rm x)", "cat <<E\n$(rm x)\nE", "cat <<<$(rm x)",
			"> $(rm x)", "coproc rm x", "rm x > /dev/null", "<f rm x", "A=1 rm x", "A=1 B=2 /bin/rm x",
			"sudo rm x", "sudo -u u -- rm x", "sudo A=1 rm x", "sudo --user u rm x", "sudo --user=u rm x",
			"sudo -nu u rm x", "doas rm x", "nohup rm x", "command rm x", "command -p rm x", "builtin rm x",
			"exec rm x", "exec -a y rm x", "setsid rm x", "stdbuf -o L rm x", "busybox rm x", "/usr/bin/env rm x",
			"env A=1 sudo nice -n 5 timeout 5 rm x", "xargs -n 1 rm", "find . | xargs -I{} rm {}",
			`eval "rm x"`, "eval rm x", "sh -c 'rm x'", `bash -c "rm x"`, "dash -ec 'rm x'", "zsh -c 'rm x'",
			"/bin/sh -c 'rm x'", "sudo sh -c 'rm x'", "bash -o errexit -c 'rm x'", "sh -c 'sh -c \"rm x\"'",
			"find . -exec rm {} +", `find . -exec rm {} \;`, "find . -execdir /bin/rm {} +", "env -S 'rm x'",
			"trap 'rm x' EXIT", "alias r=rm; r x", "alias r='rm -f'", "time -f x rm x", "env A=$x rm y", "sudo -u$x rm y", "timeout $t rm x", "nice -n $n rm x", "env --split-string='rm x'",
			"env -vS'rm x'", "sudo -s <<<'rm x'", "sudo -s 'rm x'", "find . -exec true \\; -exec rm {} +", "find . -exec find . -exec rm {} +", "su -c 'rm x'", "su u -c 'rm x'", "bash <<'E'\nrm x\nE", "sh <<<'rm x'",
		},
		"execute(curl*)": {
			"curl x", "sudo -u u curl x", "env -i curl x", "timeout 5 curl x", "timeout -s KILL 5 curl x",
			"timeout --signal=KILL 5 curl x", "timeout --kill-after 1 5 curl x", "xargs curl", "nice -n 5 curl x",
			"nice curl x", "nice -5 curl x", "ionice -c 3 curl x", "curlx", "env -u A curl x",
		},
		"execute(cat *)": {
			"{ cat f; }", "(cat f)", "if :; then cat f; fi", "cat<f", "echo <(cat f)", "cat", "until cat f; do :; done",
		},
		"run_shell_command(git push*)":      {"git push", "git push -f", "cd x && git push", "GIT_DIR=x git push"},
		"run_shell_command(*| sh*)":         {"curl x | sh"},
		"run_*(rm *)":                       {"rm x", "a; rm x"},
		"*(rm *)":                           {"rm x"},
		"{execute,fetch}({rm,unlink} *)":    {"rm x", "unlink x"},
		"run_shell_command":                 {"ls", "ls > x", ""},
		"execute":                           {"ls", "(((", ""},
		"execute(**)":                       {"ls"},
		"execute(find . -exec rm {} \\\\;)": {`find . -exec rm {} \;`},
	} {
		for _, c := range commands {
			d := sh(t, deny(rule), c)
			require.Equal(t, Deny, d.Effect, "%s: %q", rule, c)
			require.Equal(t, rule, d.Pattern)
		}
	}
}

func TestHarmlessCommandsAreNotDenied(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"execute(rm *)":    {"echo rm x", "rmdir x", "git rm x", "echo 'rm x'", "grep rm x", "sudo grep rm x", "ls -C", "command -v rm", "find . -name rm", "cat <<'E'\nrm x\n$(rm x)\nE"},
		"write(.git/**)":   {"cat .git/config", "ls .git", "echo x > .github/x", "echo '> .git/config'", "cp .git/config x", "ls 2>&1"},
		"read(.env)":       {"cat x", "cat .envrc", "ls", "cat sub/.env", "echo $HOME", "grep .env x"},
		"write(*)":         {"cat <<'E'\na -> b > c\nE", "cat <<E\na -> b > c\nE", "ls", "echo 'a > b'", "ls 2>&1", "sed s/a/b/ f", "cat f"},
		"read(*)":          {"echo x > f", "rm f", "tee f", "ls"},
		"write_file(*)":    {"echo x > f"},
		"fetch(rm *)":      {"rm x", "sh -c 'x'"},
		"write_file(.env)": {"sh -c 'x'"},
	} {
		for _, c := range commands {
			require.Equal(t, Allow, sh(t, deny(rule), c).Effect, "%s: %q", rule, c)
		}
	}
}

func TestFilesInCommandsAreReadAndWritten(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"read(.env)": {
			"cat .env", "head -1 ./.env", "tail -n 3 /srv/app/.env", "cat a/../.env", "cat /srv/app//./.env",
			"cat < .env", "<.env", "cat 0<.env", `cat ".env"`, `cat .e\nv`, "cat .e''nv", "grep x .env", "grep -e x .env",
			"grep -f .env x", "grep --file=.env x", "sed -n p .env", "sort -- .env", "awk 1 .env", "cp .env x", "mv .env x",
			"dd if=.env", "sudo cat .env", "true && cat .env", "$(cat .env)", "x=$(cat .env)", "sh -c 'cat .env'",
			"/bin/cat .env", "source .env", ". ./.env", "base64 .env", "read x < .env", "exec 3<>.env", "cat 2>/dev/null .env",
			"while read l; do :; done < .env", "find . -exec cat .env +",
		},
		"write(.git/**)": {
			"echo x >> .git/config", "echo x > .git/config", "echo x >| .git/config", "echo x &> .git/config",
			"echo x &>> .git/config", "echo x >& .git/config", "echo x 2> .git/config", "> .git/config", "exec 3> .git/x",
			"tee .git/config", "tee -a x .git/config", "cp a .git/config", "cp a .git", "cp a .git/", "cp -t .git a",
			"cp --target-directory=.git a", "mv .git x", "mv x .git/config", "rm -rf .git", "rm .git/index", "touch .git/x",
			"ln -s a .git/x", "ln -s .git/config x", "dd of=.git/x", "sed -i s/a/b/ .git/config", "sed -i.bak s/a/b/ .git/config",
			"sed --in-place s/a/b/ .git/config", "install a .git/hooks/x", "mkdir .git/x", "chmod 777 .git/config",
			"truncate -s0 .git/config", "find .git -delete", "{ echo x; } > .git/config", "(echo x) > .git/config",
			"if :; then echo; fi > .git/config", "for i in a; do echo; done >> .git/x", "echo x > src/../.git/config",
			"f() { echo x > .git/config; }; f", "bash -c 'echo x > .git/config'", "eval 'echo x > .git/config'",
			"cat <<E > .git/config\nx\nE", "sudo tee .git/config", "echo x > '.git/config'", "echo x > .g\\it/config",
		},
		"write(config/agent.json)": {
			"cp evil/agent.json config", "cp evil/agent.json config/", "mv agent.json ./config", "ln agent.json config",
			"install agent.json config", "cp -r x/agent.json y config",
		},
		"write(*)":                {"sed -i s/a/b/ f", "tee f", "cp a b", "dd of=f", "> f", "rm f", "touch f", "echo > $f", "echo >*"},
		"write(/etc/**)":          {"echo x > /etc/hosts", "tee /etc/hosts", "echo x > ../../etc/hosts"},
		"read(**/secrets/**)":     {"cat secrets/a", "cat a/secrets/b", "cat /etc/secrets/x", "cat file:///srv/app/secrets/a"},
		"read(~/.ssh/**)":         {"cat ~/.ssh/id_rsa", "cat /root/.ssh/id_rsa", "cat /home/u/.ssh/id_rsa"},
		"run_shell_command(.env)": {"cat .env", "echo > .env"},
	} {
		for _, c := range commands {
			require.Equal(t, Deny, sh(t, deny(rule), c).Effect, "%s: %q", rule, c)
		}
	}
}

func TestHiddenFilesAndCommandsAtLeastAsk(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"read(.env)": {
			`f=.env; cat "$f"`, "cat $f", "cat .e*", "cat .en?", "cat {.env,x}", "cat $(echo .env)", "cat ~/x", "cat < $f",
			"ls | xargs cat", "find . -exec cat {} +", "cd sub; cat ../.env", "pushd x; cat y", "grep x *", "head -$n",
			"python3 -c 'open(\".env\")'", "cd /; cat srv/app/.env", "sh script <&0; bash", "env -C / cat srv/app/.env",
		},
		"write(.git/**)": {
			"cd .git; echo x > config", "cd .git && tee config", "pushd .git; rm x", "echo x > .git/config \"", "echo \" > .git/config",
			`find . -exec cp a .git/config \;`, "python3 -c 'x'", "python -c x", "perl -e x", "node -e x", "ruby -e x",
			"eval $x", "sh -c \"$x\"", "bash -c $x", "$(echo rm) x", "$x y", "${x}m y", "`x`", "echo | sh", "bash -s", "echo x > $f",
			"/bin/r? x", "r* x", "{rm,x} y", "cat <<E", "cat <<'E'\nx", "sh <(x)", ". <(x)", "python3 <<E\nx\nE", "python3 -",
			"awk 'BEGIN{system(\"x\")}'", "sudo $x rm y", "sed -n 'w .git/config' x", "env -C .git tee config", "command cd .git; > config",
			"source x; echo > config", "rm -rf .", "rm -rf /srv", "mv /srv/app x", "find . -delete", "find -delete", "a=(", "echo $((", "case",
		},
		"execute(rm *)": {
			"python -c '…'", "$(echo rm) x", `eval "$x"`, "perl -e 'unlink'", "bash -c \"$(echo rm x)\"", "x=rm; $x y",
			"bash -i", "~/bin/r* x", `{r"m",x}`, "r{m,} x", "python -W ignore -c x", "python3.11 -c x", "pypy3 -c x", "python - x", "sudo -i", "node --eval=x", "perl -i -pe x f", "echo 'rm x' | bash", "xargs $x", "sudo $x", "find . -exec {} +", "\"$x\" y", "a\x00b",
		},
		"mystery(*)": {`echo "`, "(", "cat <<E", ""},
	} {
		for _, c := range commands {
			requireAtLeastAskCommand(t, deny(rule), rule, c)
		}
	}
}

func requireAtLeastAskCommand(t *testing.T, r Rules, rule, c string) {
	t.Helper()
	require.NotEqual(t, Allow, sh(t, r, c).Effect, "%s: %q", rule, c)
	ask := Rules{Ask: []string{rule}, Allow: []string{"*"}}
	require.NotEqual(t, Allow, sh(t, ask, c).Effect, "ask %s: %q", rule, c)
}

func TestOpaqueCommandsNeedARuleToBeAskedAbout(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"sh -c 'x'", "eval $x", "python3 -c x", "cat $f", "$x"} {
		require.Equal(t, Allow, sh(t, allow("*"), c).Effect, c)
		require.Equal(t, Allow, sh(t, allow("run_shell_command"), c).Effect, c)
		require.Equal(t, Allow, sh(t, deny("fetch(x)", "write_file(y)"), c).Effect, c)
		for _, rule := range []string{"write(x)", "read(x)", "execute(x)", "run_shell_command(x)", "*(x)"} {
			d := sh(t, deny(rule), "sh -c 'y'")
			require.Equal(t, Decision{Effect: Ask, Tier: TierAsk, Pattern: rule, Source: SourceSession}, d)
		}
	}
}

func TestAllowNeedsEveryPartAsWritten(t *testing.T) {
	t.Parallel()
	r := allow("execute(git log*)")
	for _, c := range []string{
		"git log", "git  log", "git log -1", "git log\n", "git log --output=/etc/x", "git log; git log -1",
		"git log | git log", "(git log)", "git log 2>&1", "git log 2>/dev/null", "git log # x", "git log $x",
		"git log \"$(git log)\"", "if git log; then git log; fi", "git log </dev/stdin", "git log 'a; x'",
	} {
		require.Equal(t, Allow, sh(t, r, c).Effect, "%q", c)
	}
	for _, c := range []string{
		"git log; x", "git log && x", "git log || x", "git log | x", "git log\nx", "git log & x", "git log &", "x; git log",
		"git log $(x)", "git log `x`", "git log <(x)", "git log \"$(x)\"", "git log ${a:-$(x)}", "git log $((a[$(x)]))",
		"git log > x", "git log >> x", "git log 2> x", "git log &> x", "git log > $x", "sudo git log", "env git log",
		"GIT_PAGER=x git log", "nohup git log", "timeout 5 git log", "command git log", "/usr/bin/git log", "\\git log",
		"\"git\" log", "git 'log'", "git lo$x", "git l*", "$(echo git) log", "eval 'git log'", "sh -c 'git log'", "xargs git log",
		"git log \"", "git log (", "x=1", "export x=1; git log", "git log <<E\n$(x)\nE", "git log <<<$(x)", "GIT log", "git", "gitlog",
		"git log \\\r\nrm x", "git log\r", "git log\rx", "git log\r\ngit log", "git log #\\\r\nrm x", "git log # \\\nrm x", "git log #\\\nrm x", "git log;#\\\\\\\nrm x", "git log # \\\n# \\\nrm x", "git log 'a\r\nb'",
		"", " ", "# git log", "git log; # x\nx", "find . -exec git log +", "git log\x00x", "f() { x; }; git log",
	} {
		require.Equal(t, Ask, sh(t, r, c).Effect, "%q", c)
	}
}

func TestTheAnchoredWayKeepsOptionsOut(t *testing.T) {
	t.Parallel()
	r := allow("execute(git log)", "execute(git log -1)", "execute(git log --oneline -*)")
	require.Equal(t, Allow, sh(t, r, "git log -1").Effect)
	require.Equal(t, Ask, sh(t, r, "git log --output=/etc/x").Effect)
	require.Equal(t, Ask, sh(t, r, "git logx").Effect)
}

func TestRedirectsCountInEveryTier(t *testing.T) {
	t.Parallel()
	require.Equal(t, Allow, sh(t, allow("execute(echo *)", "write(/srv/app/out/**)"), "echo x > out/a").Effect)
	require.Equal(t, Ask, sh(t, allow("execute(echo *)", "write(/srv/app/out/**)"), "echo x > out/../a").Effect)
	require.Equal(t, Ask, sh(t, allow("execute(echo *)", "write(/srv/app/**)"), "cd /etc; echo x > a").Effect)
	require.Equal(t, Allow, sh(t, allow("execute(*)"), "echo x > a").Effect)
	require.Equal(t, Allow, sh(t, allow("run_shell_command"), "echo x > a").Effect)
	require.Equal(t, Ask, sh(t, allow("run_shell_command(echo *)"), "echo x > a").Effect)
	require.Equal(t, Ask, sh(t, allow("run_shell_command(echo *)", "run_shell_command(/srv/**)"), "echo x > a").Effect)
	require.Equal(t, Ask, sh(t, Rules{Ask: []string{"write(a)"}, Allow: []string{"*"}}, "echo x > a").Effect)
	require.Equal(t, Deny, sh(t, Rules{Deny: []string{"write"}, Allow: []string{"run_shell_command"}}, "echo x > a").Effect)
	d := policy(t, allow("execute(echo *)")).Decide(analyse(t, shell, args{"command": "echo x > a"}), ModeAutoEdit)
	require.Equal(t, Allow, d.Effect, "a redirect is an edit")
	d = policy(t, Rules{}).Decide(analyse(t, shell, args{"command": "> a"}), ModeAutoEdit)
	require.Equal(t, Ask, d.Effect, "but the call is still an execution")
}

func TestFileArgumentsCountForDenyAndAskOnly(t *testing.T) {
	t.Parallel()
	require.Equal(t, Allow, sh(t, allow("execute(rm *)"), "rm x").Effect)
	require.Equal(t, Ask, sh(t, allow("write(*)"), "rm x").Effect)
	require.Equal(t, Ask, sh(t, Rules{Ask: []string{"write(x)"}, Allow: []string{"*"}}, "rm x").Effect)
}

func TestManyPartsAreNotDowngraded(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("true; ", 250)
	require.Equal(t, Deny, sh(t, deny("execute(rm *)"), many+"rm x").Effect)
	require.Equal(t, Deny, sh(t, deny("run_shell_command(rm *)"), many+"rm x").Effect)
	require.Equal(t, Deny, sh(t, deny("execute(rm *)"), "sh -c '"+many+"rm x'").Effect)
	require.Equal(t, Ask, sh(t, allow("*"), many).Effect)
	require.Equal(t, Ask, sh(t, deny("write(.git/**)"), many).Effect)
	require.Equal(t, Allow, sh(t, allow("*"), strings.Repeat("true; ", 150)).Effect)
	_, denied := policy(t, deny("execute(rm *)")).Denied(analyse(t, shell, args{"command": many + "rm x"}))
	require.True(t, denied)
}

func TestHugeCommandsAreCheapAndAtLeastAsk(t *testing.T) {
	t.Parallel()
	huge := map[string]string{
		"350,000 if": strings.Repeat("if ", 350_000), "wrappers": strings.Repeat("sudo ", 6000) + "rm x",
		"files": "cat " + strings.Repeat("a ", 16_000), "evals": strings.Repeat("eval ", 300) + "x",
		"finds": strings.Repeat("find -exec ", 2500), "finds in a row": "find" + strings.Repeat(` -exec a \;`, 2500),
		"envs":  strings.Repeat("env ", 7) + "-S '" + strings.Repeat("env ", 7) + "-S \"env env env -S x\"'; " + strings.Repeat("eval a;", 199),
		"pipes": strings.Repeat("a|", 16_000) + "a", "heredocs": strings.Repeat("<<a ", 8000),
		"targets": "cp " + strings.Repeat("-t a ", 6000), "strange options": strings.Repeat("sudo -Z ", 3500) + "rm x", "evaluations": strings.Repeat("${x@P}", 5000),
	}
	for _, opener := range []string{"(", "{ ", "$(", "<(", "$((1+(", "`", "${a:-", "[[ ", "$[", "case a in a) ", "f() { "} {
		huge["1 MiB of "+opener] = strings.Repeat(opener, 1<<20/len(opener))
		huge["300 of "+opener] = strings.Repeat(opener, 300)
	}
	start := time.Now()
	for name, c := range huge {
		for _, r := range []Rules{allow("*"), deny("write(x)")} {
			require.NotEqual(t, Allow, sh(t, r, c).Effect, name)
		}
	}
	require.Less(t, time.Since(start), time.Minute)
}
