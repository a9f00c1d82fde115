package gatewaytest

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// Example is a running gateway for a godoc example, which has no test to end it.
func Example() (base string, stop func()) {
	tb := &exampleTB{}
	return Start(tb).Base, tb.stop
}

// exampleTB is as much of a test as Start needs. What would fail it panics, which
// is how an example fails.
type exampleTB struct {
	testing.TB // for the method that nobody else may have; it is nil
	cleanups   []func()
}

// Helper says that failures are the caller's.
func (*exampleTB) Helper() {}

// Output is where the gateway logs to.
func (*exampleTB) Output() io.Writer { return os.Stderr }

// Cleanup keeps what stop does.
func (tb *exampleTB) Cleanup(f func()) { tb.cleanups = append(tb.cleanups, f) }

// Fatal fails the example.
func (*exampleTB) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// Fatalf fails the example.
func (*exampleTB) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (tb *exampleTB) stop() {
	for _, f := range tb.cleanups {
		f()
	}
}
