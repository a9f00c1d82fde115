package sessions_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
)

func TestMain(m *testing.M) {
	code := redistest.Main(m).Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}
