package store

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// hash32 is a hash of as many bytes as there are.
var hash32 = strings.Repeat("h", idLen)

// entryOf is an entry as Redis sends it.
func entryOf(id, hash, json string) string {
	return "*2\r\n" + bulk(id) + "*6\r\n" + bulk("t") + bulk("call.result") + bulk("h") + bulk(hash) + bulk("j") + bulk(json)
}

func bulk(s string) string {
	return "$" + strconv.Itoa(len(s)) + "\r\n" + s + "\r\n"
}

func TestAPageIsReadWhereItLies(t *testing.T) {
	t.Parallel()
	r := rawReply{b: []byte("*3\r\n" + entryOf("4-0", hash32, "{}") + entryOf("5-0", hash32, `{"a":"`+"\r\n"+`"}`) + entryOf("6-0", hash32, "{}"))}
	events, err := r.events(stream.Hash{1}, 4, 1)
	require.NoError(t, err)
	require.Len(t, events, 1, "what comes before is read for its hash only")
	require.Equal(t, uint64(5), events[0].Seq)
	require.Equal(t, hash32, string(events[0].Prev[:]))
	require.Equal(t, `{"a":"`+"\r\n"+`"}`, string(events[0].JSON), "lengths count, not lines") //nolint:testifylint // byte for byte
	require.Equal(t, "call.result", events[0].Type)
}

func TestAReplyGrowsByWhatComes(t *testing.T) {
	t.Parallel()
	var r rawReply
	want := ""
	for _, part := range []string{"a", strings.Repeat("b", usualReply), "", strings.Repeat("c", usualReply)} {
		n, err := io.CopyN(&r, strings.NewReader(part+"rest"), int64(len(part)))
		require.NoError(t, err)
		require.EqualValues(t, len(part), n)
		want += part
	}
	require.Equal(t, want, string(r.b))
	_, err := io.CopyN(&r, strings.NewReader("short"), 10)
	require.Error(t, err)
}

func FuzzAPageIsReadOrRefused(f *testing.F) {
	f.Add([]byte("*1\r\n" + entryOf("4-0", hash32, "{}")))
	f.Add([]byte("*0\r\n"))
	f.Add([]byte("-ERR no\r\n"))
	f.Add([]byte("*1\r\n*2\r\n$-1\r\n"))
	f.Add([]byte("*99999999999\r\n"))
	f.Add([]byte("*1\r\n*2\r\n$9223372036854775807\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := rawReply{b: b}
		events, err := r.events(stream.Hash{}, 0, readChunk)
		if err != nil {
			require.ErrorIs(t, err, errReply)
			require.Empty(t, events)
			return
		}
		for _, e := range events {
			require.NotEmpty(t, e.Type)
			require.NotNil(t, e.JSON)
		}
	})
}
