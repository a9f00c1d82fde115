package stream_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestAFilterPassesTypesByPrefix(t *testing.T) {
	t.Parallel()
	f, err := stream.ParseFilter("call.,session.closed")
	require.NoError(t, err)
	require.True(t, f.Active())
	for typ, want := range map[string]bool{
		"call.result": true, "call.dispatched": true, "session.closed": true,
		"session.created": false, "batch.completed": false, "call": false, "": false,
	} {
		require.Equal(t, want, f.Pass(typ), typ)
	}
}

func TestNoFilterPassesEverything(t *testing.T) {
	t.Parallel()
	f, err := stream.ParseFilter("")
	require.NoError(t, err)
	require.False(t, f.Active())
	require.True(t, f.Pass("anything"))
}

func TestMalformedFiltersAreRefused(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		",", "call.,", ",call.", "a,,b", "Call.", "call.*", "call .", "call\n", "call\x00", "é",
		strings.Repeat("a", 65), strings.Repeat("a,", 16) + "a", strings.Repeat("x,", 100_000),
	} {
		_, err := stream.ParseFilter(in)
		require.ErrorIs(t, err, stream.ErrBadFilter, "%.40q", in)
	}
	_, err := stream.ParseFilter(strings.Repeat("a,", 15) + "a")
	require.NoError(t, err, "sixteen prefixes are allowed")
}
