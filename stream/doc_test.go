package stream_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

const docsPage = "../docs/events.md"

func TestTheDocumentedExampleCanBeRecomputed(t *testing.T) {
	t.Parallel()
	page := readPage(t)
	sealed := stream.Seal(stream.ID{}, "ses_example", time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), []stream.Draft{
		{Type: "session.updated", Data: []byte(`{"status":"active"}`)},
		{Type: "mode.changed", Data: []byte(`{"from":"default","to":"plan","by":"alice","mode_revision":2}`)},
	})
	prev := stream.Hash{}
	for i, e := range sealed {
		frame, err := stream.AppendFrame(e.ID(), e.Type, e.JSON)
		require.NoError(t, err)
		require.Contains(t, page, string(frame))
		prev = stream.Next(prev, e.JSON)
		require.Contains(t, page, fmt.Sprintf("h%c = `%s`", []rune("₁₂")[i], prev))
	}
}

func TestTheDocumentedReasonsAreAllThereAre(t *testing.T) {
	t.Parallel()
	page := readPage(t)
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(page, -1)
	documented := make([]stream.Reason, 0, len(rows))
	for _, row := range rows {
		documented = append(documented, stream.Reason(row[1]))
	}
	require.ElementsMatch(t, []stream.Reason{
		stream.ReasonTrimmed, stream.ReasonAhead, stream.ReasonDiverged,
		stream.ReasonGone, stream.ReasonUnstable, stream.ReasonCorrupt,
	}, documented)
	for _, typ := range []string{stream.TypeReset, stream.TypeSnapshot, stream.TypeError, stream.TypeClosed} {
		require.Contains(t, page, "`"+typ+"`")
	}
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(docsPage)
	require.NoError(t, err)
	return string(page)
}
