package casetest

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// events are three events as the gateway writes them.
var events = []string{
	`{"seq":1,"type":"a.b","session_id":"s","time":"t","data":{}}`,
	`{"seq":2,"type":"a.b","session_id":"s","time":"t","data":{"x":1}}`,
	`{"seq":3,"type":"a.b","session_id":"s","time":"t","data":{"x":[]}}`,
}

// written is the events as a stream, with their ids.
func written(list []string) string {
	var b strings.Builder
	b.WriteString("retry: 1000\n\n: heartbeat\n\n")
	place := Chain{}
	for _, e := range list {
		place = Chain{Seq: place.Seq + 1, Hash: sha256.Sum256(append(place.Hash[:], e...))}
		b.WriteString("id: " + place.ID() + "\nevent: a.b\ndata: " + e + "\n\n")
	}
	return b.String()
}

// serve answers every request with a stream.
func serve(t *testing.T, stream string) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, stream)
	}))
	t.Cleanup(server.Close)
	return NewClient(server.URL, "", server.Client().Transport)
}

func TestAFeedGivesTheEventsOfAStream(t *testing.T) {
	t.Parallel()
	feed, err := serve(t, written(events)).Follow(t.Context(), "s", Chain{})
	require.NoError(t, err)
	defer feed.Close()
	got, err := feed.Until(t.Context(), func(Event) bool { return false })
	require.ErrorIs(t, err, io.EOF)
	require.Len(t, got, len(events))
	require.Equal(t, events[2], string(got[2].JSON))
	require.Equal(t, got, feed.Events())
	require.EqualValues(t, 3, feed.Place().Seq)
}

func TestAFeedRefusesWhatDoesNotFollow(t *testing.T) {
	t.Parallel()
	good := written(events)
	for name, c := range map[string]struct {
		stream string
		want   error
	}{
		"an event is missing":       {strings.Replace(good, cut(good, 2), "", 1), ErrChain},
		"an event comes twice":      {strings.Replace(good, cut(good, 2), cut(good, 2)+cut(good, 2), 1), ErrChain},
		"an event was changed":      {strings.Replace(good, `{"x":1}`, `{"x":2}`, 1), ErrChain},
		"an id was changed":         {strings.Replace(good, "id: 2-", "id: 3-", 1), ErrChain},
		"the type is another":       {strings.Replace(good, "event: a.b", "event: a.c", 1), ErrFrame},
		"a field is unknown":        {strings.Replace(good, "event: ", "evil: ", 1), ErrFrame},
		"data is in two lines":      {strings.Replace(good, "data: ", "data: {\ndata: ", 1), ErrFrame},
		"data is no JSON":           {"id: 1-00000000\nevent: a\ndata: {\n\n", ErrFrame},
		"the stream is cut in half": {good[:len(good)-5], io.ErrUnexpectedEOF},
	} {
		feed, err := serve(t, c.stream).Follow(t.Context(), "s", Chain{})
		require.NoError(t, err, name)
		_, err = feed.Until(t.Context(), func(Event) bool { return false })
		require.ErrorIs(t, err, c.want, name)
		feed.Close()
	}
}

// cut is the frame of an event.
func cut(stream string, seq int) string {
	for _, f := range strings.SplitAfter(stream, "\n\n") {
		if strings.HasPrefix(f, "id: "+string(rune('0'+seq))+"-") {
			return f
		}
	}
	return ""
}

func TestWaitingForAnEventEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	feed, err := NewClient(server.URL, "", nil).Follow(t.Context(), "s", Chain{})
	require.NoError(t, err)
	defer feed.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = feed.Next(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestARefusedStreamIsARefusal(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"code":"not_found","status":404}`)
	}))
	t.Cleanup(server.Close)
	_, err := NewClient(server.URL, "", nil).Follow(t.Context(), "s", Chain{})
	var r *Refusal
	require.ErrorAs(t, err, &r)
	require.Equal(t, "not_found", r.Code)
}
