package scheduler_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/scheduler"
)

func TestReadingAStoredOutput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 3000)
	for _, c := range []struct {
		name      string
		arguments string
		want      string // page; empty: refused
		says      string
	}{
		{"from the start", `{"ref":"x"}`, long[:scheduler.DefaultPageChars], "characters 0 to 20000 of 30000; go on with offset 20000"},
		{"the rest", `{"ref":"x","offset":20000}`, long[20_000:], "characters 20000 to 30000 of 30000"},
		{"a part", `{"ref":"x","offset":5,"limit":3}`, "567", "characters 5 to 8 of 30000; go on with offset 8"},
		{"beyond the end", `{"ref":"x","offset":40000}`, "", "characters 30000 to 30000 of 30000"},
		{"characters, not bytes", `{"ref":"y","offset":1,"limit":1}`, "€", "characters 1 to 2 of 3"},
		{"an unknown one", `{"ref":"z"}`, "", "no stored output"},
		{"no reference", `{}`, "", "ref is missing"},
		{"a negative offset", `{"ref":"x","offset":-1}`, "", "offset is negative"},
		{"a limit of none", `{"ref":"x","limit":0}`, "", "limit is not between"},
		{"too large a limit", `{"ref":"x","limit":100001}`, "", "limit is not between"},
		{"a part of a number", `{"ref":"x","limit":1.5}`, "", "whole numbers"},
		{"another spelling", `{"Ref":"x"}`, "", "ref is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, limits(1, 1))
			w.outputs["x"], w.outputs["y"] = long, "ä€𝄞"
			w.submit(call("o", "read_output", c.arguments))
			require.Contains(t, w.result(0).Output, c.says)
			if c.want != "" {
				require.Equal(t, []string{"ok"}, w.outcomes())
				_, page, _ := strings.Cut(w.result(0).Output, "\n")
				require.Equal(t, c.want, page)
			}
		})
	}
}

func TestWhatABatchWillReadIsKnownBeforehand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	calls := []scheduler.Input{
		write("w"), call("o", "read_output", `{"ref":"x","offset":3}`), call("p", "read_output", `{"ref":""}`),
		call("q", "read_output", `{`),
	}
	want := []scheduler.ReadOutputArguments{{Ref: "x", Offset: 3, Limit: scheduler.DefaultPageChars}}
	require.Equal(t, want, scheduler.PendingReads(w.state, w.env.Tools, calls))
	w.submit(calls...)
	require.Equal(t, want, scheduler.PendingReads(w.state, w.env.Tools, nil))
	w.finishAll()
	require.Empty(t, scheduler.PendingReads(w.state, w.env.Tools, nil))
}

// Paged through with any limits, an output is read whole.
func TestPagesPutTogetherAreTheOutput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\nä€𝄞")), 1, 80, -1).Draw(rt, "text")
		total := utf8.RuneCountInString(text)
		var read strings.Builder
		for offset := 0; ; {
			limit := rapid.IntRange(1, 30).Draw(rt, "limit")
			page := scheduler.CutPage(text, offset, limit, total)
			require.LessOrEqual(rt, utf8.RuneCountInString(page.Text), limit)
			require.Equal(rt, offset, page.Offset)
			read.WriteString(page.Text)
			if page.Next == 0 {
				break
			}
			require.Greater(rt, page.Next, offset)
			offset = page.Next
		}
		require.Equal(rt, text, read.String())
	})
}
