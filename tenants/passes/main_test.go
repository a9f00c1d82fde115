package passes_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(redistest.Main(m)) }
