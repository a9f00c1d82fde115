package sessions_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
)

func TestMain(m *testing.M) {
	code := redistest.Main(m).Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
