package porttest_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/porttest"
)

func TestAnAddressIsFreeAndNoConnectionTakesIt(t *testing.T) {
	t.Parallel()
	for range 20 {
		l, err := net.Listen("tcp", porttest.Addr())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, l.Close()) })
		require.Less(t, l.Addr().(*net.TCPAddr).Port, 32_768, "where Linux begins to give ports to connections")
	}
}
