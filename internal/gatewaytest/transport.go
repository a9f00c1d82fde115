package gatewaytest

import (
	"net/http"
	"testing"
)

// HTTPClient is one whose idle connections go with the test, so that no
// goroutine of theirs is left behind.
func HTTPClient(tb testing.TB) *http.Client {
	tb.Helper()
	transport := &http.Transport{}
	tb.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}
