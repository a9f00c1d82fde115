package stream_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// wireEvent is what a client makes of a frame, by the rules of the
// specification for server-sent events.
type wireEvent struct {
	id, typ, data, retry string
	hasID                bool
}

// parseWire reads a whole stream as a browser does: CR, LF and CRLF end lines,
// an id with a NUL is ignored, an event without data is not dispatched but
// leaves its id (it is kept here with empty data).
func parseWire(s string) []wireEvent {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	var events []wireEvent
	for block := range strings.SplitSeq(s, "\n\n") {
		var e wireEvent
		var data []string
		for line := range strings.SplitSeq(block, "\n") {
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "id":
				if !strings.Contains(value, "\x00") {
					e.id, e.hasID = value, true
				}
			case "event":
				e.typ = value
			case "data":
				data = append(data, value)
			case "retry":
				e.retry = value
			}
		}
		e.data = strings.Join(data, "\n")
		if e != (wireEvent{}) {
			events = append(events, e)
		}
	}
	return events
}

func TestAFrameHasAnIDAnEventAndOneDataLine(t *testing.T) {
	t.Parallel()
	id := stream.ID{Seq: 7, Hash: stream.Hash{0xde, 0xad, 0xbe, 0xef, 1}}
	b, err := stream.AppendFrame(id, "call.result", []byte(`{"a":1}`))
	require.NoError(t, err)
	require.Equal(t, "id: 7-deadbeef\nevent: call.result\ndata: {\"a\":1}\n\n", string(b))
}

func TestFramesThatCouldBeReadAsSomethingElseAreRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"\n", "\r", "\x00", "\r\n", "a\n\ndata: x", "x\rid: 1-00000000"} {
		_, err := stream.AppendFrame(stream.ID{}, "call.result", []byte(bad))
		require.ErrorIs(t, err, stream.ErrBadFrame, "data %q", bad)
		_, err = stream.AppendFrame(stream.ID{}, "call"+bad, nil)
		require.ErrorIs(t, err, stream.ErrBadFrame, "type %q", bad)
	}
	_, err := stream.AppendFrame(stream.ID{}, "", nil)
	require.ErrorIs(t, err, stream.ErrBadFrame, "a frame without a type would be a `message`")
}

func FuzzFrame(f *testing.F) {
	f.Add(uint64(1), []byte("hash"), "call.result", []byte(`{"output":"a\n\ndata: b"}`))
	f.Add(uint64(0), []byte{}, "call\nid: 9-00000000", []byte("x\r\n\r\nevent: y"))
	f.Add(uint64(1<<63), []byte("\n\n"), "retry", []byte("\x00"))
	f.Fuzz(func(t *testing.T, seq uint64, hash []byte, typ string, data []byte) {
		id := stream.ID{Seq: seq}
		copy(id.Hash[:], hash)
		b, err := stream.AppendFrame(id, typ, data)
		if err != nil {
			require.ErrorIs(t, err, stream.ErrBadFrame)
			return
		}
		// Between two others, so that it can neither end nor open its neighbours.
		other := "id: 1-00000000\nevent: a\ndata: b\n\n"
		got := parseWire(other + string(b) + other)
		mid := wireEvent{id: id.String(), hasID: true, typ: typ, data: string(data)}
		edge := wireEvent{id: "1-00000000", hasID: true, typ: "a", data: "b"}
		require.Equal(t, []wireEvent{edge, mid, edge}, got)
	})
}

func TestSealChainsEventsOneByOne(t *testing.T) {
	t.Parallel()
	events := stream.Seal(stream.ID{}, "ses_1", fixedTime, []stream.Draft{
		{Type: "session.created", Data: []byte(`{}`)},
		{Type: "batch.started", BatchID: "bat_1", Data: []byte(`{"text":"a\nb \u0000"}`)},
	})
	prev := stream.Hash{}
	for i, e := range events {
		require.EqualValues(t, i+1, e.Seq)
		require.Equal(t, prev, e.Prev)
		require.Equal(t, stream.Next(prev, e.JSON), e.Hash)
		require.True(t, json.Valid(e.JSON))
		require.False(t, bytes.ContainsAny(e.JSON, "\r\n"))
		prev = e.Hash
	}
}

func TestSealRefusesDataThatWouldForgeAFrame(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"{\n}", "{\r}"} {
		require.Panics(t, func() {
			stream.Seal(stream.ID{}, "s", fixedTime, []stream.Draft{{Type: "a", Data: []byte(bad)}})
		})
	}
}
