package stream_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/stream"
)

const maxSeq = 1<<53 - 1

// vectors are places that can be written down: hashes by their first bytes.
func vectors() *rapid.Generator[stream.Vector] {
	return rapid.Custom(func(t *rapid.T) (v stream.Vector) {
		for i := range v {
			v[i].Seq = rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64Range(1, maxSeq)).Draw(t, "seq")
			if v[i].Seq > 0 {
				copy(v[i].Hash[:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "hash"))
			}
		}
		return v
	})
}

func TestEveryPlaceInATenantsLogsHasOneSpelling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := vectors().Draw(t, "place")
		text := v.String()
		require.LessOrEqual(t, len(text), stream.MaxTenantCursor)
		require.Equal(t, url64(text), text, "nothing needs to be escaped in a query")
		read, err := stream.ParseVector(text)
		require.NoError(t, err)
		require.Equal(t, v, read)
	})
}

// url64 is what of a text is base64url.
func url64(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_", r) || r < 128 && (r >= '0' && r <= '9' || r|32 >= 'a' && r|32 <= 'z') {
			return r
		}
		return -1
	}, s)
}

func TestAPlaceWithoutEventsIsShort(t *testing.T) {
	t.Parallel()
	var v stream.Vector
	require.Equal(t, "AQ", v.String())
	v[1] = stream.ID{Seq: 1, Hash: stream.Hash{1, 2, 3, 4, 5}}
	require.Equal(t, "AQABAQIDBA", v.String())
}

func TestOtherTenantCursorsAreRefused(t *testing.T) {
	t.Parallel()
	bytes := func(b ...byte) string { return base64.RawURLEncoding.EncodeToString(b) }
	for name, in := range map[string]string{
		"a session's cursor":     "1-0a1b2c3d",
		"the oldest of a log":    "0-00000000",
		"another word":           "Latest",
		"not base64":             "AQ!",
		"padded":                 "AQ==",
		"no bytes":               "A",
		"another form":           bytes(2),
		"zeros at the end":       bytes(1, 0),
		"no hash":                bytes(1, 5),
		"half a hash":            bytes(1, 5, 1, 2),
		"more logs than are":     bytes(append([]byte{1}, make([]byte, 17)...)...),
		"a number with padding":  bytes(1, 0x81, 0x00, 1, 2, 3, 4),
		"a number beyond 2^53":   bytes(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 2, 3, 4),
		"a number without end":   bytes(1, 0xff, 0xff),
		"bits behind the end":    "AR",
		"longer than any vector": strings.Repeat("A", stream.MaxTenantCursor+1),
	} {
		_, err := stream.ParseTenantCursor(in)
		require.ErrorIs(t, err, stream.ErrBadCursor, name)
	}
}

func FuzzTenantCursor(f *testing.F) {
	f.Add("")
	f.Add("latest")
	f.Add("AQ")
	f.Add("AQABAQIDBA")
	f.Add("AQCAgICAgICAgIABAQEBAQ")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := stream.ParseTenantCursor(s); err != nil {
			require.ErrorIs(t, err, stream.ErrBadCursor)
			return
		}
		v, err := stream.ParseVector(s)
		require.True(t, s == "" || s == "latest" || err == nil && v.String() == s)
	})
}
