package acp_test

import (
	"os"
	"testing"

	"github.com/session-gateway/gateway/internal/gatewaytest"
)

func TestMain(m *testing.M) { os.Exit(gatewaytest.Main(m)) }
