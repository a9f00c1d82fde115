package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTargetsAreWrittenWhereverTheyAreNamed(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"write(.git/config)": {
			"cp -t .git x/config", "cp -rt .git config", "cp --target-directory=.git x/config", "cp --target-directory .git x/config", "cp --targ .git x/config", "cp x/config -t .git", "cp -t.git x/config",
			"install -t .git x/config", "install -Dt .git config", "install -m 644 -t .git y config", "install -gstaff x .git/config", "mv -t .git x/config", "ln -st .git x/config", "cp -at .git x config",
			"install -d .git/config y", "cp x/config .git", "cp -f -- x/config .git/",
		},
		"write(.env)": {
			"ln -s evil/.env", "ln evil/.env", "sort -o .env x", "sort -o.env x", "sort --output=.env x", "sort --output .env x", "sort -uo .env x", "sort x -o .env", "uniq x .env", "uniq -c x .env",
			"xxd -r x .env", "xxd x .env", "less -o .env x", "less -O.env x", "less --log-file=.env x", "patch .env p", "patch -o .env x p", "find . -exec sort -o .env x +", "sudo sort -o .env x",
		},
		"write(*)": {"sed -n w.env f", "patch -p1 < p", "sed -f p f"},
	} {
		for _, c := range commands {
			require.Equal(t, Deny, sh(t, deny(rule), c).Effect, "%s: %q", rule, c)
		}
	}
}

func TestWholeDirectoriesAndProgramsAtLeastAsk(t *testing.T) {
	t.Parallel()
	for rule, commands := range map[string][]string{
		"write(.git/config)": {
			"cp -r x/.git .", "cp -R x/.git .", "cp -a x/.git .", "cp -rT x .git", "cp --recursive x .git", "rsync -a x/ .git/", "rsync -r x/.git .", "rsync -av x/ .", "cp -r x .", "cp -rt . x/.git", "cp --parents .git/config .",
			"rsync -R .git/config .", "chmod -R 777 .git", "chown -R u .", "mv x/.git .", "mv -t . x/.git", "cp $x y .git/config", "cp -t $d x/config", "rsync -e 'sh -c x' a b",
		},
		"write(.env)": {
			"awk -i inplace 1 .env", "gawk -iinplace 1 .env", "gawk --include=inplace 1 .env", "gawk -o.env 1", "gawk -n -d.env 1", "sed -n w.env f", "sed -n 'w .env' f", "sed 's/a/b/w.env' f", "sed 's/a/b/gw .env' f", "sed -f prog f", "sed -fprog f", "sed --file=prog f",
			`sed "$x" f`, `sed "s/a/$b/" f`, "sed -e p -e 'w.env' f", "sed '/x/w.env' f", "sed '1,3W .env' f", "sed 's,a,b,w.env' f", "sed -n -e '$!{w.env' -e '}' f", "patch -p1 < p", "patch < p", "sed -ne w.env f", "sed -i '' w.env f",
			"sed -i.bake w.env f", "sed 's/[/]/x/w.env' f", "sed '{p;w.env\n}' f", "sed 'p}w.env' f", "sed 'a\\\nx\nw.env' f", "sed 'bx\nw.env' f", "sed 'y/a/b/;w.env' f", "sed '\\,x,w.env' f", "sed '#n\nw.env' f", "sed -s 's/\\//b/w.env' f", "sed --expression=w.env f", "sed -l 5 w.env f", "sed '1!w.env' f", "sed '/a/I,/b/Mw.env' f", "sed -E 's/(a)/b/2w.env' f",
			"gawk '@load \"x\"' f", "awk '{print>\".env\"}' f", "sort --compress-program=x y",
		},
		"read(.env)": {
			"sed 'r .env' f", "sed '1r.env' f", "sed 'R.env' f", "sed -e 1r.env f", "awk '{getline < \".env\"; print}' f", "awk 'BEGIN{ARGV[1]=\".env\"}1' x", "grep -r x .", "grep -R x", "grep -rn x ./", "grep --recursive x .", "grep -d recurse x .", "egrep -r x /srv", "rgrep x .", "sudo -e .env", "rg x", "rg x .", "rg --pre cat x y",
			"diff -r . /tmp/x", "diff . /tmp/x", "cp -r . /tmp/x", "cp -a /srv/app /tmp/x", "rsync -a ./ h:x", "wc --files0-from=x", "mv . /tmp/x", "sudo grep -r x .", "find . -exec grep -r x /srv \\;",
		},
		"read(secrets/**)": {"grep -r x .", "cp -r . /tmp/x", "grep -r x /srv/app", "rsync -a . /tmp/x", "rg x"},
		"execute(rm *)":    {"sed '1e rm x' f", "sed s/a/b/e f", "sed 's/a/rm x/e' f", "sed e f", "sed -n 's/a/b/pe' f", "sed \"1e\" f", "gawk -l x 1 f", "rg --pre 'rm x' y", "rsync -e 'rm x' a h:b", "sort --compress-program rm x"},
	} {
		for _, c := range commands {
			requireAtLeastAskCommand(t, deny(rule), rule, c)
		}
	}
}

func TestPlainProgramsAndPlainFilesAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"sed s/a/b/ f", "sed 's/wr/we/g' f", "sed -n '1,5p' f", "sed '/^w/d' f", "sed -n '/a/,/b/p;q' f", "sed -e 's/a/b/' -e 's/c/d/' f", "sed 's,a/w,b,' f", "sed '$!N;s/\\n/ /' f", "sed 1d f", "sed '1i text w' f", "sed -i.bake s/a/b/ f", "sed -E 's/(a)+/\\1/2g' f",
		"sed 's/[a-z]*/x/' f", "sed -n '$=' f", "sed '/a/{s/b/c/;p}' f", "sed y/abc/xyz/ f", "sed -i '' s/a/b/ f", "awk '{print $1}' f", "awk -F: -v x=1 '{print $1}' f", "grep x f", "grep -r x src", "cp a b", "cp -r src dst", "sort f", "uniq f", "xxd f", "diff a b", "rsync -a src/ dst/", "chmod +x f", "rg x src", "ln -s a b",
	} {
		require.Equal(t, Allow, sh(t, deny("write(.git/config)", "read(.env)", "execute(rm *)", "execute(git push /srv/app/src)"), c).Effect, "%q", c)
	}
}
