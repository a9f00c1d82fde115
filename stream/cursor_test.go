package stream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestCursorsAreReadInTheirKnownForms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "0-00000000",
		"0-00000000":                "0-00000000",
		"latest":                    "latest",
		"1-0a1b2c3d":                "1-0a1b2c3d",
		"0-deadbeef":                "0-deadbeef",
		"9007199254740991-ffffffff": "9007199254740991-ffffffff",
	} {
		c, err := stream.ParseCursor(in)
		require.NoError(t, err, in)
		require.Equal(t, want, c.String(), in)
	}
}

func TestTheZeroCursorIsTheOldestEvent(t *testing.T) {
	t.Parallel()
	c, err := stream.ParseCursor("0-00000000")
	require.NoError(t, err)
	require.Equal(t, stream.Cursor{}, c)
}

func TestOtherCursorsAreRefused(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"1", "-", "1-", "-00000000", "x-00000000", "1-0000000", "1-000000000", "1-0000000g",
		"1-ABCDEF01", "01-00000000", "+1-00000000", "-1-00000000", " 1-00000000", "1-00000000 ",
		"1_0-00000000", "0x1-00000000", "1.0-00000000", "Latest", "LATEST", "latest ",
		"9007199254740992-00000000", "99999999999999999999-00000000", "1-00000000-1",
		"1-0000\n000", "\x00", "١-00000000",
	} {
		_, err := stream.ParseCursor(in)
		require.ErrorIs(t, err, stream.ErrBadCursor, "%q", in)
	}
}

func FuzzCursor(f *testing.F) {
	for _, s := range []string{"", "latest", "0-00000000", "12-0a1b2c3d", "1-", "9007199254740992-00000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := stream.ParseCursor(s)
		if err != nil {
			require.ErrorIs(t, err, stream.ErrBadCursor)
			return
		}
		if s != "" {
			require.Equal(t, s, c.String(), "a cursor has one spelling")
		}
		again, err := stream.ParseCursor(c.String())
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
