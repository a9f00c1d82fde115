package tenants_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

func TestGeneratedKeysAreRecognisedAndDiffer(t *testing.T) {
	t.Parallel()
	a, b := tenants.NewKey(), tenants.NewKey()
	require.NotEqual(t, a, b)
	require.True(t, strings.HasPrefix(a, tenants.KeyPrefix))
	require.True(t, tenants.WellFormed(a))
	require.True(t, tenants.WellFormed(b))
}

func TestAMistypedKeyIsToldByItsChecksum(t *testing.T) {
	t.Parallel()
	key := tenants.NewKey()
	for i := len(tenants.KeyPrefix); i < len(key); i++ {
		wrong := []byte(key)
		wrong[i] = other(wrong[i])
		require.False(t, tenants.WellFormed(string(wrong)), "changed at %d", i)
	}
	require.False(t, tenants.WellFormed(key[:len(key)-1]))
	require.False(t, tenants.WellFormed("my-own-dev-key"))
	require.False(t, tenants.WellFormed(""))
}

func other(c byte) byte {
	if c == 'a' {
		return 'b'
	}
	return 'a'
}

func TestADigestReadsBackAndRefusesAnythingElse(t *testing.T) {
	t.Parallel()
	d := tenants.DigestOf("secret")
	back, err := tenants.ParseDigest(d.String())
	require.NoError(t, err)
	require.Equal(t, d, back)

	for _, bad := range []string{"", "gwk_secret", d.String()[2:], d.String() + "00", strings.Repeat("zz", 32)} {
		_, err := tenants.ParseDigest(bad)
		require.Error(t, err)
		if bad != "" {
			require.NotContains(t, err.Error(), bad, "the value may be a key")
		}
	}
}
