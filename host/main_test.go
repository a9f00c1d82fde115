package host_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/gatewaytest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	gatewaytest.Remove()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}
