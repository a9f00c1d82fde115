package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by the linker (Makefile, LDFLAGS).
var (
	version = "dev"
	commit  = ""
)

// build says which program this is.
type build struct {
	Version, Commit, Go string
}

// currentBuild is what the linker set, else what the toolchain noted.
func currentBuild() build {
	b := build{Version: version, Commit: commit, Go: runtime.Version()}
	if b.Commit == "" {
		b.Commit = notedCommit()
	}
	return b
}

func notedCommit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "unknown"
}

// String is the build in one line.
func (b build) String() string {
	return fmt.Sprintf("%s (commit %s, %s)", b.Version, b.Commit, b.Go)
}
