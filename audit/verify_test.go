package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/audit"
)

func key(t require.TestingT, letter string) audit.Key {
	k, err := audit.NewKey([]byte(strings.Repeat(letter, audit.MinKeyBytes)))
	require.NoError(t, err)
	return k
}

// written is a log as a store would hold it: entries, and a seal behind every
// so many of them.
func written(k audit.Key, sizes ...int) []audit.Line {
	var out []audit.Line
	prev, n := "", 0
	for _, size := range sizes {
		raw := make([]audit.Raw, size)
		for i := range raw {
			n++
			raw[i] = audit.Raw{ID: fmt.Sprintf("%d-0", n), JSON: fmt.Appendf(nil, `{"acts":[{"type":"call.decided","call_id":"c%d"}]}`, n)}
			out = append(out, audit.Line{Log: "b0001", ID: raw[i].ID, Entry: raw[i].JSON})
		}
		s := k.Seal(prev, "2026-01-02T03:04:05.000Z", raw)
		n++
		out = append(out, audit.Line{Log: "b0001", ID: fmt.Sprintf("%d-0", n), Seal: &s})
		prev = s.Sum
	}
	return out
}

func verified(t require.TestingT, v audit.Verifier, lines []audit.Line) *audit.Report {
	var export bytes.Buffer
	for _, line := range lines {
		require.NoError(t, json.NewEncoder(&export).Encode(line))
	}
	report, err := v.Verify(&export)
	require.NoError(t, err)
	return report
}

func TestALogThatNobodyTouchedIsIntact(t *testing.T) {
	t.Parallel()
	k := key(t, "k")
	lines := written(k, 3, 1, 4)
	report := verified(t, audit.Verifier{Key: k}, append(lines, audit.Line{Log: "b0001", ID: "99-0", Entry: []byte(`{}`)}))
	require.True(t, report.Intact(), "%v", report.Breaks)
	require.Equal(t, []int{9, 3, 1, 0}, []int{report.Entries, report.Seals, report.Unsealed, report.Unsigned})
	require.Equal(t, lines[len(lines)-1].Seal.Sum, report.Heads["b0001"])
}

func TestTheFirstBreakIsNamed(t *testing.T) {
	t.Parallel()
	k := key(t, "k")
	entry := func(s string) json.RawMessage { return json.RawMessage(s) }
	for name, c := range map[string]struct {
		tamper func([]audit.Line) []audit.Line
		id     string
		why    string
	}{
		"an entry changed":       {func(l []audit.Line) []audit.Line { l[4].Entry = entry(`{}`); return l }, "5-0", "entry was changed"},
		"an entry removed":       {func(l []audit.Line) []audit.Line { return slices.Delete(l, 5, 6) }, "6-0", "entry was removed"},
		"the last entry removed": {func(l []audit.Line) []audit.Line { return slices.Delete(l, 6, 7) }, "7-0", "entry was removed"},
		"an entry added": {func(l []audit.Line) []audit.Line {
			return slices.Insert(l, 5, audit.Line{Log: "b0001", ID: "5-1", Entry: entry(`{}`)})
		}, "5-1", "not one that the next seal names"},
		"entries in another order":   {func(l []audit.Line) []audit.Line { l[4], l[5] = l[5], l[4]; return l }, "5-0", "out of order"},
		"an entry under another id":  {func(l []audit.Line) []audit.Line { l[4].ID = "5-7"; return l }, "5-0", "entry was removed"},
		"a seal removed":             {func(l []audit.Line) []audit.Line { return slices.Delete(l, 3, 4) }, "1-0", "not one that the next seal names"},
		"a seal and its entries":     {func(l []audit.Line) []audit.Line { return slices.Delete(l, 4, 8) }, "11-0", "before this one was removed"},
		"a seal's entry list cut":    {func(l []audit.Line) []audit.Line { l[7].Seal.Entries = l[7].Seal.Entries[1:]; return l }, "8-0", "seal was changed"},
		"a seal signed by the thief": {func(l []audit.Line) []audit.Line { return written(key(t, "x"), 3, 3, 2) }, "4-0", "not signed with this key"},
		"a seal that nobody signed":  {func(l []audit.Line) []audit.Line { return written(audit.Key{}, 3, 3, 2) }, "4-0", "not signed with this key"},
	} {
		report := verified(t, audit.Verifier{Key: k}, c.tamper(written(k, 3, 3, 2)))
		require.Len(t, report.Breaks, 1, name)
		require.Equal(t, c.id, report.Breaks[0].ID, name)
		require.Contains(t, report.Breaks[0].Why, c.why, name)
	}
}

func TestALogMayBeginLaterButNotEndEarlier(t *testing.T) {
	t.Parallel()
	k := key(t, "k")
	lines := written(k, 3, 3, 2)
	head := lines[len(lines)-1].Seal.Sum
	for gone := 3; gone < len(lines); gone++ { // the store cuts at a seal, or far behind the first
		report := verified(t, audit.Verifier{Key: k, Expect: []string{head}}, lines[gone:])
		require.True(t, report.Intact(), "the first %d went with the retention: %v", gone, report.Breaks)
	}
	report := verified(t, audit.Verifier{Key: k, Expect: []string{head}}, lines[:8])
	require.Empty(t, report.Breaks)
	require.Equal(t, []string{head}, report.Missing)
	require.False(t, report.Intact())
}

func TestAnEntryWhoseSealIsGoneIsOverdue(t *testing.T) {
	t.Parallel()
	k := key(t, "k")
	minute := func(log string, n int) audit.Line {
		return audit.Line{Log: log, ID: fmt.Sprintf("%d-0", n*60_000), Entry: []byte(`{}`)}
	}
	lines := append(written(k, 2), minute("b0001", 5), minute("b0001", 6))
	report := verified(t, audit.Verifier{Key: k}, append(lines, minute("b0002", 15)))
	require.True(t, report.Intact(), "%v", report.Breaks)
	require.Equal(t, 3, report.Unsealed)
	report = verified(t, audit.Verifier{Key: k}, append(lines, minute("b0002", 16)))
	require.Equal(t, []audit.Break{{Log: "b0001", ID: "300000-0", Why: "no seal names it, and by now one has to"}}, report.Breaks)
}

func TestSealsThatNobodySignedAreCounted(t *testing.T) {
	t.Parallel()
	report := verified(t, audit.Verifier{}, written(audit.Key{}, 1, 1))
	require.True(t, report.Intact())
	require.Equal(t, 2, report.Unsigned)
}

func TestWhatIsNoExportIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", `{"log":"b","id":"1-0"}`, `{"log":"b","id":"x","entry":{}}`, `[]`} {
		_, err := audit.Verifier{}.Verify(strings.NewReader(text))
		require.ErrorContains(t, err, "line 1", text)
	}
	_, err := audit.NewKey([]byte("short"))
	require.ErrorContains(t, err, "32 bytes")
}

// Whatever one line is changed, removed or doubled before the last seal: it is
// seen, unless it is the beginning that went.
func TestNoChangeOfOneLineStaysUnseen(t *testing.T) {
	t.Parallel()
	k := key(t, "k")
	rapid.Check(t, func(rt *rapid.T) {
		lines := written(k, rapid.SliceOfN(rapid.IntRange(1, 5), 2, 5).Draw(rt, "sizes")...)
		at := rapid.IntRange(1, len(lines)-2).Draw(rt, "line")
		switch rapid.SampledFrom([]string{"drop", "double", "edit"}).Draw(rt, "how") {
		case "drop":
			lines = slices.Delete(lines, at, at+1)
		case "double":
			lines = slices.Insert(lines, at, lines[at])
		case "edit":
			if lines[at].Seal != nil {
				s := *lines[at].Seal
				s.Time = "2026-01-02T03:04:06.000Z"
				lines[at].Seal = &s
			} else {
				lines[at].Entry = json.RawMessage(`{"acts":[]}`)
			}
		}
		require.False(rt, verified(rt, audit.Verifier{Key: k}, lines).Intact())
	})
}
