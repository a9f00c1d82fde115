package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrappersAreSeenThroughWhateverTheirOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		"env a.b=c rm x", "env a-b=c rm x", "env é=c rm x", "env '$x=c' rm x", "env -a z rm x", "env -iaz rm x", "env --argv0 z rm x", "env -P /bin rm x", "sudo -c cl rm x", "sudo -a ty rm x",
		"sudo a.b=c rm x", "sudo --login-class c rm x", "doas -a s rm x", "doas -u u -a s rm x", "chrt -d --sched-runtime 1 --sched-period 2 --sched-deadline 2 0 rm x",
		"chrt -T 1 -P 2 -D 2 0 rm x", "chrt -o 0 rm x", "sudo -Z z rm x", "timeout -x y 5 rm x", "setsid -z z rm x", "xargs -J % rm %", "xargs -I% rm %", "jobs -x rm x", "exec -z y rm x",
		"nice -n5 rm x", "nice -5 rm x", "sudo -Z rm x", "sudo -- A=1 rm x", "env -i -- A=1 rm x", "env -- rm x", "env - rm x",
	} {
		require.Equal(t, Deny, sh(t, deny("execute(rm *)"), c).Effect, "%q", c)
	}
	for _, c := range []string{
		"xargs -I{} {} x", "xargs -I % % <<< 'rm y'", "xargs -I % % y", "xargs --replace=R R y", "xargs --replace {} y", "xargs -i {} y", "xargs -iR R y", "xargs -J % %", "xargs -I{} sh -c '{}'",
		"xargs -I{} sudo {}", "xargs -I{} /bin/{} x", "xargs env", "xargs sudo -u u", "xargs sh", "xargs xargs", "xargs -tI{} {} y",
		"watch rm x", "flock f rm x", "ssh h rm x", "sudo strace rm x", "/lib64/ld-linux-x86-64.so.2 /bin/rm x", "script -c 'rm x'",
	} {
		requireAtLeastAskCommand(t, deny("execute(rm *)"), "execute(rm *)", c)
	}
	for _, c := range []string{"sudo -n grep rm x", "env A=1 grep rm x", "timeout -v 5 grep rm x", "xargs -0 grep rm", "chrt -o 0 grep rm x", "xargs -I{} grep {} x"} {
		require.Equal(t, Allow, sh(t, deny("execute(rm *)"), c).Effect, "%q", c)
	}
}

func TestScriptsOnTheInputAreJudged(t *testing.T) {
	t.Parallel()
	for _, c := range []string{
		". /dev/stdin <<< 'rm x'", "source /dev/stdin <<E\nrm x\nE", "bash /dev/stdin <<< 'rm x'", "bash /dev/fd/0 <<'E'\nrm x\nE", "bash /proc/self/fd/0 <<< 'rm x'", "bash /dev/fd/3 3<<< 'rm x'",
		". /proc/self/fd/0 <<< 'rm x'", "bash /dev/../dev/stdin <<< 'rm x'", "bash ../../dev/stdin <<< 'rm x'", "cd /dev; bash stdin <<< 'rm x'", "cd /dev/fd; . ./0 <<< 'rm x'", "bash --rcfile /dev/stdin -i x <<< 'rm x'",
		"rbash -c 'rm x'", "csh -c 'rm x'", "tcsh -c 'rm x'", "yash -c 'rm x'", "bash5.2 -c 'rm x'", "bash-5.2 -c 'rm x'", "tcsh <<< 'rm x'", "sudo bash /dev/stdin <<< 'rm x'", "bash -x /dev/stdin <<< 'rm x'",
	} {
		require.Equal(t, Deny, sh(t, deny("execute(rm *)"), c).Effect, "%q", c)
	}
	for _, c := range []string{
		"echo rm x | . /dev/stdin", "echo rm x | bash /dev/stdin", "bash /dev/tty", "bash /proc/$$/fd/0", "python3 /dev/stdin", "perl /dev/fd/0", "node /proc/self/fd/0", ". $x", "bash *.sh", ". *.sh", "echo 'rm x' | csh",
	} {
		requireAtLeastAskCommand(t, deny("execute(rm *)"), "execute(rm *)", c)
	}
}
