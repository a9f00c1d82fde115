package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// TestMain lets scripts run this very program as `gateway`.
func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){"gateway": main})
}

// leakChecked runs the tests and fails if they leave goroutines behind.
type leakChecked struct{ m *testing.M }

// Run runs the tests.
func (l leakChecked) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
