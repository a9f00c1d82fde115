package scheduler_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

func limits(output, batch int) option {
	return settings(func(s *scheduler.Settings) { s.ToolOutputChars, s.BatchOutputChars = output, batch })
}

// numbered is so many lines of ten characters, their ends included.
func numbered(lines int) string {
	var b strings.Builder
	for n := range lines {
		fmt.Fprintf(&b, "line %04d\n", n)
	}
	return b.String()
}

func TestAnOutputWithinItsLimitIsKeptAsItIs(t *testing.T) {
	t.Parallel()
	for _, output := range []string{"", "x", strings.Repeat("ä", 100), numbered(10)} {
		w := newWorld(t, limits(100, 1000))
		w.submit(read("a"))
		w.report(0, output)
		require.Equal(t, output, w.result(0).Output)
		require.Nil(t, w.result(0).OutputRef)
		require.False(t, w.result(0).Truncated)
		require.Empty(t, w.fx.Stored)
	}
}

func TestAnOutputOverItsLimitIsStoredWholeAndExcerpted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limits(100, 1000))
	w.submit(read("a"))
	w.report(0, numbered(50))
	r := w.result(0)
	require.Equal(t, []scheduler.StoredOutput{{Ref: "out_1_0", Text: numbered(50)}}, w.fx.Stored)
	require.Equal(t, "out_1_0", *r.OutputRef)
	require.True(t, r.Truncated)
	note, body, _ := strings.Cut(r.Output, "\n")
	for _, said := range []string{"500 characters", "out_1_0", "read_output", `"offset": 0`} {
		require.Contains(t, note, said)
	}
	head, tail, cut := strings.Cut(body, "[…]\n")
	require.True(t, cut)
	require.Equal(t, numbered(2), head, "the first fifth, cut at a line's end")
	require.Equal(t, strings.TrimPrefix(numbered(50), numbered(42)), tail, "the last four fifths")
}

func TestTooManyLinesAreCutLikeTooManyCharacters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(read("a"), read("b"))
	w.report(0, strings.Repeat("\n", scheduler.MaxOutputLines))
	require.Nil(t, w.result(0).OutputRef)
	w.report(1, strings.Repeat("x\n", scheduler.MaxOutputLines+1))
	require.NotNil(t, w.result(1).OutputRef)
	require.LessOrEqual(t, strings.Count(w.result(1).Output, "x\n"), scheduler.MaxOutputLines)
}

func TestAToolsLimitBeatsTheSessions(t *testing.T) {
	t.Parallel()
	for limit, cut := range map[int]bool{0: true, scheduler.Unlimited: false, 600: false, 400: true} {
		w := newWorld(t, limits(100, 100_000), func(w *world) { w.tool("read_file").OutputLimit = limit })
		w.submit(read("a"))
		w.report(0, numbered(50))
		require.Equal(t, cut, w.result(0).Truncated, limit)
	}
}

func TestErrorsAreCutToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limits(100, 1000))
	w.submit(read("a"))
	require.NoError(t, w.tryReport("h", failed(0, numbered(50))))
	require.NotNil(t, w.result(0).OutputRef)
	require.Equal(t, w.result(0).Output, w.result(0).Error.Message)
	require.Equal(t, numbered(50), w.outputs["out_1_0"])
}

func TestWhatTheGatewayWritesIsNeverCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limits(1, 1), inPlan)
	w.outputs["x"] = numbered(50)
	w.submit(
		call("o", "read_output", `{"ref":"x"}`), write("d"), call("n", "nope", "{}"), call("i", "edit", "{"),
		leave("q", ""), read("r"),
	)
	w.report(5, "too long")
	for i := range 5 {
		require.Nil(t, w.result(i).OutputRef)
		require.Nil(t, w.call(i).Rendered)
	}
	require.Contains(t, w.result(0).Output, numbered(50))
	w.batch(enter("e"))
	require.Equal(t, planmode.Reminder(planmode.Default), w.result(0).Output)
	require.Nil(t, w.call(0).Rendered)
}

func TestABatchOverItsLimitIsFilledLikeWater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		budget int
		sizes  []int
		aside  []int
	}{
		{"within", 300, []int{100, 100, 100}, nil},
		{"one big one pays", 300, []int{10, 500, 20}, []int{1}},
		{"equal shares", 300, []int{200, 200, 200}, []int{0, 1, 2}},
		{"small ones give back", 300, []int{10, 60, 500, 60}, []int{2}},
		{"what they give is shared too", 300, []int{10, 140, 500, 140}, []int{1, 2, 3}},
		{"nothing to share", 1, []int{2, 3}, []int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, limits(100_000, c.budget))
			var calls []scheduler.Input
			for n := range c.sizes {
				calls = append(calls, read(fmt.Sprintf("r-%d", n)))
			}
			w.submit(calls...)
			stored := map[string]string{}
			for n, size := range c.sizes {
				w.report(n, strings.Repeat("x", size))
				for _, o := range w.fx.Stored {
					stored[o.Ref] = o.Text
				}
			}
			var aside []int
			for _, o := range w.fx.Offloaded {
				aside = append(aside, o.Position)
				require.Equal(t, c.sizes[o.Position], o.Size)
				require.Len(t, stored[o.Ref], o.Size, "stored whole")
				require.Equal(t, o.Ref, w.call(o.Position).Rendered.Ref)
				require.Contains(t, w.call(o.Position).Rendered.Output, o.Ref)
				require.Equal(t, strings.Repeat("x", o.Size), w.result(o.Position).Output, "the result stays")
				require.Nil(t, w.result(o.Position).OutputRef)
			}
			require.Equal(t, c.aside, aside)
		})
	}
}

func TestWhatWasCutAlreadyIsCutOnceMoreUnderTheSameReference(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limits(200, 50))
	w.submit(read("a"))
	w.report(0, numbered(50))
	require.Equal(t, []scheduler.StoredOutput{{Ref: "out_1_0", Text: numbered(50)}}, w.fx.Stored, "stored once")
	require.Equal(t, []scheduler.Offload{{Position: 0, Ref: "out_1_0", Size: 500}}, w.fx.Offloaded)
	rendered := w.call(0).Rendered.Output
	require.Equal(t, 1, strings.Count(rendered, "read_output"), "one note, not two")
	require.Contains(t, rendered, "500 characters")
	require.Less(t, len(rendered), len(w.result(0).Output))
}

func TestAnAbortedBatchHasItsLimitToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limits(1000, 50))
	w.submit(read("a"), read("b"))
	w.report(0, numbered(50))
	w.abort()
	require.NotNil(t, w.call(0).Rendered)
	require.Nil(t, w.call(1).Rendered)
}

// An excerpt never holds more than its budget besides its note, begins as the
// text begins, ends as it ends, and is valid where the text is.
func TestExcerptsKeepToTheirBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		budget := rapid.IntRange(1, 60).Draw(rt, "budget")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\nä€\n𝄞")), budget+1, 200, -1).Draw(rt, "text")
		w := newWorld(rt, limits(budget, 1_000_000))
		w.submit(read("a"))
		w.report(0, text)
		require.Equal(rt, text, w.outputs[*w.result(0).OutputRef])
		_, body, _ := strings.Cut(w.result(0).Output, "\n")
		require.True(rt, utf8.ValidString(body))
		head, tail, cut := strings.Cut(body, "[…]\n")
		require.True(rt, cut)
		require.True(rt, strings.HasPrefix(text, head) || strings.HasPrefix(text, strings.TrimSuffix(head, "\n")))
		require.True(rt, strings.HasSuffix(text, tail))
		require.LessOrEqual(rt, utf8.RuneCountInString(head), budget/5+1)
		require.LessOrEqual(rt, utf8.RuneCountInString(tail), budget-budget/5)
	})
}
