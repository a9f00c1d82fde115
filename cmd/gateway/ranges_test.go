package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddressIsARangeToo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10.1.0.0/16": "10.1.0.0/16", "10.1.2.3": "10.1.2.3/32", "fd00::1": "fd00::1/128", "fd00::/8": "fd00::/8",
	} {
		var r Range
		require.NoError(t, r.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, r.String())
	}
	for _, text := range []string{"", "10.1.2", "10.1.2.3/33", "intern.example", "fe80::1%eth0", "10.0.0.1/8/8"} {
		require.ErrorContains(t, new(Range).UnmarshalText([]byte(text)), `"`+text+`" is neither`)
	}
}
