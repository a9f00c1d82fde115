package chaos

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// dieTogether lets the system kill a gateway when the test binary dies without
// cleaning up.
func dieTogether() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// proc is a file or folder of what the system tells about the process.
func (p *process) proc(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("/proc/%d/%s", p.life.cmd.Process.Pid, name)
}

// memory is what the gateway holds of the machine's memory, in bytes.
func (p *process) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(p.proc("status"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			require.NoError(t, err)
			return kb << 10
		}
	}
	t.Fatal("the system doesn't tell how much memory a process has")
	return 0
}

// files is how many file descriptors the gateway has open.
func (p *process) files(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir(p.proc("fd"))
	require.NoError(t, err)
	return len(open)
}
