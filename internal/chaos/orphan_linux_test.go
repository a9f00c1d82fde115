package chaos

import "syscall"

// dieTogether lets the system kill a gateway when the test binary dies without
// cleaning up.
func dieTogether() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
