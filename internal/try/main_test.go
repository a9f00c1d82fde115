package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest/recorded"
)

func TestTheRecordsOfTheProjectAreAnsweredAsTheyWereThen(t *testing.T) {
	t.Parallel()
	var out, errOut bytes.Buffer
	code := run(t.Context(), []string{"../../cmd/gateway/testdata/messages"}, &out, &errOut)
	require.Zero(t, code, "%s%s", out.String(), errOut.String())
	require.Contains(t, out.String(), "10 records, 0 failed")
}

func TestWhatCannotBeTriedIsSaid(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"a", "b"}, {"-unknown", "a"}, {t.TempDir()}} {
		var errOut bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), args, io.Discard, &errOut), args)
		require.NotEmpty(t, errOut.String())
	}
}

func TestTheTableTellsWhatFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	failed, err := printTable(&out, []recorded.Outcome{{Name: "a", Calls: 2}, {Name: "b", Err: errors.New("wrong order")}})
	require.NoError(t, err)
	require.Equal(t, 1, failed)
	require.Contains(t, out.String(), "FAILED: wrong order")
	require.Contains(t, out.String(), "2 records, 1 failed")
}

func TestTheGatewaysFirstWordsAreRead(t *testing.T) {
	t.Parallel()
	got, err := listen(strings.NewReader("\ngateway listens on http://127.0.0.1:1\nkey: k (tenant dev)\nmore"))
	require.NoError(t, err)
	require.Equal(t, at{"http://127.0.0.1:1", "k"}, got)
	_, err = listen(strings.NewReader("nothing"))
	require.ErrorIs(t, err, errSilent)
}
