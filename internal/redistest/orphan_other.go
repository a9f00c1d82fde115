//go:build !linux

package redistest

import "syscall"

// dieTogether has no counterpart outside of Linux: a test binary that is
// killed leaves its servers behind.
func dieTogether() *syscall.SysProcAttr { return nil }
