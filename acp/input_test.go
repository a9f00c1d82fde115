package acp_test

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
)

// kept is a log that may be written and read at once: the library goes on for a
// moment after its connection.
type kept struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *kept) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.Write(p)
}

func (k *kept) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

func TestWhatCantBeReadIsLoggedByItsLengthOnly(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	log := &kept{}
	err := acp.Serve(t.Context(), acp.Config{Log: slog.New(slog.NewJSONHandler(log, nil))}, strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","method":"session/prompt","params":{"text":"` + secret + `"`,
		`"` + secret + `"`,
		`{"text":"` + secret + `"}`,
		`{"jsonrpc":"2.0","method":"x","id":{"a":"` + secret + `"}}`,
		`{"jsonrpc":"2.0","result":{},"id":["` + secret + `"]}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":["` + secret + `"]}}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":["` + secret + `"]}`,
		"",
	}, "\n")), io.Discard)
	require.NoError(t, err)
	require.NotContains(t, log.String(), secret)
	require.Contains(t, log.String(), `"err":"not JSON","offset":69,"raw_bytes":69`)
	require.Contains(t, log.String(), `"err":"not a message","offset":9,"raw_bytes":9`)
	require.Contains(t, log.String(), `"requestId_bytes":11`)
}

func TestAMessageThatIsTooLongEndsTheAgentWithAnError(t *testing.T) {
	t.Parallel()
	serve := func(line string) error {
		return acp.Serve(t.Context(), acp.Config{Log: slog.New(slog.DiscardHandler)}, strings.NewReader(line), io.Discard)
	}
	require.NoError(t, serve(strings.Repeat(" ", 8<<20)+"\n"+strings.Repeat(" ", 8<<20)+"\n"), "each for itself")
	require.ErrorIs(t, serve(strings.Repeat("x", 10<<20)), acp.ErrLineTooLong)
}
