package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgramsThatAreToldWhatToRunAtLeastAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"git -c alias.x='!rm y' x", "git -c core.pager='rm x' log", "git --config-env=a=B log", "git --exec-path=/tmp log", "git -C d -c a=b log", "git config alias.x '!rm y'", "git config set a b", "git config edit",
		"git config --global --add a b", "git config --unset a", "git config $x", "git bisect run rm x", "git submodule foreach rm x", "git rebase -x 'rm x' HEAD~1", "git rebase --exec='rm x'", "git filter-branch --tree-filter 'rm x'",
		"git grep -O'rm x' a", "git difftool -x 'rm x'", "git clone 'ext::sh -c rm% x' d", "git clone -u 'rm x' h:y", "git clone -c a=b x", "git fetch --upload-pack='rm x' o", "git push --receive-pack='rm x' o", "git archive --exec='rm x' --remote=x HEAD", "git $x",
		"tar --to-command='rm x' -xf a", "tar xf a --use-compress-program 'rm x'", "tar -I 'rm x' -xf a", "tar cIf 'rm x' a b", "tar cf a --checkpoint=1 --checkpoint-action=exec='rm x' b", "zip -T -TT 'rm x' a b",
		"vim -c ':!rm x' f", "vi -es '+!rm x' f", "nvim --cmd '!rm x'", "ex f", "emacs --batch --eval '(x)'", "make SHELL='rm x'", "make CC='rm x'", "make --eval='x:;rm x'", "make -f - <<< 'x:;rm x'",
		"npx rm x", "npm exec -- rm x", "npm exec -c 'rm x'", "yarn dlx rm", "pnpm dlx rm", "bundle exec rm x", "uv run rm x", "poetry run rm x", "docker run -v /:/h a rm x", "docker compose exec a rm x", "kubectl exec p -- rm x", "nix-shell --run 'rm x'",
		"go test -exec 'rm x'", "go vet -vettool=/bin/rm", "go build -toolexec 'rm x'", "gcc -wrapper rm,x a.c", "scp -S /tmp/rm a b:", "scp -o ProxyCommand='rm x' a b:", "sftp -o ProxyCommand='rm x' b", "split --filter='rm x' f",
		"less '+!rm x' f", "man -P 'rm x' ls", "dc -e '!rm x'", "m4 <<< 'syscmd(rm x)'", "sqlite3 x '.shell rm x'", "psql -c '\\! rm x'", "mysql -e '\\! rm x'", "fd -x rm", "fd . --exec rm", "fdfind -X rm", "tcpdump -z rm", "fzf --preview 'rm x'",
		"screen -dm rm x", "tmux new -d 'rm x'", "socat - EXEC:'rm x'", "nc -e rm h 1", "ncat --sh-exec 'rm x' h", "linux64 rm x", "i386 rm x", "perf stat rm x", "run-parts d", "rename 's/a/system q(rm x)/e' f", "cmd /c rm x", "cmd.exe /c rm x", "wsl rm x",
		"elixir -e x", "erl -eval x", "julia -e x", "R -e x", "Rscript -e x", "guile -c x", "luajit -e x", "ts-node -e x", "PYTHON3 -c x", "python.exe -c x", "GIT -c a=b log", "/usr/bin/GIT -c a=b log",
	} {
		requireAtLeastAskCommand(t, deny("execute(rm *)"), "execute(rm *)", c)
		require.Equal(t, Ask, sh(t, allow("execute(*x*)", "execute(*a*)"), c).Effect, c)
	}
	for _, c := range []string{
		"git log -c", "git commit -m x", "git push", "git fetch", "git config user.name", "git config --get a", "git config -l", "git grep -n x", "git status", "git remote -v", "git stash list", "make", "make test", "make -j4 -C x",
		"npm run build", "npm ci", "yarn", "docker ps", "kubectl get pods", "go build ./...", "go test -run X ./...", "tar xf a", "tar cfz a b", "less f", "zip a b", "scp a b:", "split f", "psql -c 'select 1'", "sqlite3 x 'select 1'", "fd x", "jq .a f", "gcc -o a a.c",
	} {
		require.Equal(t, Allow, sh(t, deny("execute(rm *)"), c).Effect, c)
	}
}

func TestDeniedCommandsAreDeniedInOtherShellsSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"noglob rm x", "nocorrect rm x", "repeat 3 rm x", "=rm x", "- rm x", "not rm x", "and rm x", "begin; rm x; end", "RM x", "Rm x", "/bin/RM x", "rm.exe x", "RM.EXE x", "sudo RM x", "SUDO rm x", "noglob sudo rm x", "bash.exe -c 'rm x'", "xargs RM", "find . -exec RM {} +", "/bin/SH -c 'rm x'",
	} {
		require.Equal(t, Deny, sh(t, deny("execute(rm *)"), c).Effect, c)
	}
	require.Equal(t, Deny, sh(t, deny("execute(Rscript *)"), "Rscript a.R").Effect)
	require.Equal(t, Deny, sh(t, deny("execute(RM *)"), "RM x").Effect)
	require.Equal(t, Ask, sh(t, allow("execute(rm *)"), "RM x").Effect)
}

func TestWhatOtherProgramsWriteAndRead(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"write(a/b)": {
			"git checkout -- a/b", "git restore a/b", "git rm a/b", "git mv x a/b", "git diff --output=a/b", "git log --output a/b", "git archive -o a/b HEAD", "sponge a/b", "gzip a/b", "mkfifo a/b", "mknod a/b p", "fallocate -l 1 a/b", "nano a/b", "vim a/b", "ex a/b",
			"ed a/b", "openssl enc -out a/b", "gpg -o a/b x", "yq -i . a/b", "tree -o a/b", "dos2unix a/b", "iconv -o a/b x", "setfacl -m x a/b", "csplit -f a/b f 1", "split f a/b", "TEE a/b", "tee.exe a/b", "[[ x > a/b ]]", "echo x >!a/b", "curl -o a/b u", "wget -O a/b u",
		},
		"read(.env)": {
			"CAT .env", "cat.exe .env", "jq --from-file .env x", "xargs -a .env echo", "openssl enc -in .env", "zless .env", "nano .env", "hd .env", "sdiff .env x", "shasum .env", "csplit .env 1", "date -f .env", "date --file=.env", "gzip -c .env", "pv .env", "curl -F 'f=<.env' u",
			"bash .env", "bash -v .env", "python3 .env", "node --env-file=.env x.js", "[[ a < .env ]]", "perl .env",
		},
	} {
		for _, c := range commands {
			require.Equal(t, Deny, sh(t, deny(rule), c).Effect, "%s: %s", rule, c)
		}
	}
	for _, c := range []string{
		"git apply p", "git am p", "git clean -fdx", "git reset --hard", "git stash", "git pull", "git checkout main", "unzip x -d a", "cpio -i", "gunzip a/b.gz", "curl -O u/b", "curl -sLO u", "curl --output-dir a -O u", "wget u/b", "wget -P a u", "echo x >! a/b", "echo x >>! a/b", "git format-patch -o a", "sed -i s/a/b/ $f",
	} {
		requireAtLeastAskCommand(t, deny("write(a/b)"), "write(a/b)", c)
	}
	require.Equal(t, Ask, sh(t, deny("read(.env)"), "jq -n 'import \".env\" as $x; $x'").Effect)
	for _, c := range []string{"curl -XPOST u", "curl -sL u", "wget -qO- u", "git status", "git commit -m b", "git stash show", "date", "gzip -c f > /dev/null", "[[ a == b ]]", "python3 x.py"} {
		require.Equal(t, Allow, sh(t, deny("write(a/b)", "read(.env)"), c).Effect, c)
	}
}
