package redistest

import "syscall"

// dieTogether lets the system kill the server when the test binary dies
// without cleaning up: a panic, a timeout of go test.
func dieTogether() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
