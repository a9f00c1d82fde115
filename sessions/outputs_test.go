package sessions_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// limited is a session with small limits, and its only dispatched call.
func limited(a *actor, tool, batch int) sessions.Batch {
	a.t.Helper()
	sid := a.create(func(s *sessions.Spec) {
		require.NoError(a.t, unmarshal(`{"limits": {"tool_output_chars": `+encoded(a.t, tool)+`, "batch_output_chars": `+encoded(a.t, batch)+`}}`, s))
	}).ID
	return a.send(sid, call("1", "read_file", `{}`))
}

func TestAnOutputOverItsLimitIsStoredWholeAndPagedInCharacters(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := limited(a, 50, 1000)
	text := strings.Repeat("äöü€😀", 40) // 200 characters, 12 bytes for five of them
	b = a.succeed(b, 0, text)
	r := b.Calls[0].Result
	require.True(t, r.Truncated)
	require.NotNil(t, r.OutputRef)
	require.Contains(t, r.Output, *r.OutputRef)
	require.Contains(t, r.Output, "read_output")
	require.Contains(t, r.Output, "200 characters")
	require.True(t, utf8.ValidString(r.Output))

	var whole strings.Builder
	for offset, pages := 0, 0; ; pages++ {
		require.Less(t, pages, 30)
		page, err := a.Output(t.Context(), a.caller, b.SessionID, *r.OutputRef, offset, 7)
		require.NoError(t, err)
		require.Equal(t, 200, page.Total)
		require.Equal(t, offset, page.Offset)
		require.True(t, utf8.ValidString(page.Text), "no character is cut in two")
		whole.WriteString(page.Text)
		if page.NextOffset == nil {
			break
		}
		require.Equal(t, 7, utf8.RuneCountInString(page.Text))
		offset = *page.NextOffset
	}
	require.Equal(t, text, whole.String())
	all, err := a.Output(t.Context(), a.caller, b.SessionID, *r.OutputRef, 0, 0)
	require.NoError(t, err)
	require.Equal(t, sessions.OutputPage{Text: text, Total: 200}, all)
	behind, err := a.Output(t.Context(), a.caller, b.SessionID, *r.OutputRef, 500, 10)
	require.NoError(t, err)
	require.Equal(t, sessions.OutputPage{Offset: 200, Total: 200}, behind)
	for _, ref := range []string{"out_1_1", "out_9_0", "", "x", "out_0_0", "../doc", "out_1_0:doc"} {
		_, err := a.Output(t.Context(), a.caller, b.SessionID, ref, 0, 10)
		refused(t, err, sessions.CodeNotFound)
	}
	other := a.create(nil).ID
	_, err = a.Output(t.Context(), a.caller, other, *r.OutputRef, 0, 10)
	refused(t, err, sessions.CodeNotFound)
}

func TestTheModelPagesThroughAStoredOutput(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := limited(a, 20, 1000)
	text := strings.Repeat("0123456789", 10)
	ref := *a.succeed(b, 0, text).Calls[0].Result.OutputRef
	b = a.send(b.SessionID,
		call("2", "read_output", `{"ref": "`+ref+`"}`), call("3", "read_output", `{"ref": "`+ref+`", "offset": 95, "limit": 3}`),
		call("4", "read_output", `{"ref": "out_7_7"}`), call("5", "read_output", `{"ref": "`+ref+`", "limit": 0}`),
		call("6", "read_output", `{"ref": "`+ref+`", "page": 1}`))
	require.Equal(t, "completed", b.Status, "the gateway does it all itself")
	whole := b.Calls[0].Result
	require.True(t, strings.HasSuffix(whole.Output, "\n"+text), "a page is never spilled again")
	require.False(t, whole.Truncated)
	require.NotNil(t, whole.StartedAt)
	require.Contains(t, b.Calls[1].Result.Output, "567")
	require.Contains(t, b.Calls[1].Result.Output, "offset 98")
	for _, position := range []int{2, 3, 4} {
		require.Equal(t, scheduler.ReasonInvalidToolParams, reason(t, b, position))
	}
	require.Equal(t, 3, a.session(b.SessionID).ToolCallsUsed)
}

// TestAPageIsReadWhenItsTurnComes: what a queued read_output asks for is
// fetched by whatever command lets it start.
func TestAPageIsReadWhenItsTurnComes(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	first := limited(a, 20, 1000)
	sid := first.SessionID
	ref := *a.succeed(first, 0, strings.Repeat("x", 30)).Calls[0].Result.OutputRef
	page := call("p", "read_output", `{"ref": "`+ref+`"}`)
	for name, wake := range map[string]func(b sessions.Batch){
		"the answer":   func(b sessions.Batch) { a.choose(a.question(b, 0), "reject") },
		"new rules":    func(b sessions.Batch) { a.rules(sid, permissions.Rules{Deny: []string{"write"}}) },
		"another mode": func(b sessions.Batch) { a.mode(sid, permissions.ModePlan) },
	} {
		a.rules(sid, permissions.Rules{})
		a.mode(sid, permissions.ModeDefault)
		b := a.send(sid, call("", "write_file", `{"file_path": "`+name+`"}`), page)
		require.Equal(t, scheduler.StateQueued, b.Calls[1].State)
		wake(b)
		b = a.read(b)
		require.Equal(t, "completed", b.Status, name)
		require.Empty(t, reason(t, b, 1), name)
		require.Contains(t, b.Calls[1].Result.Output, strings.Repeat("x", 30))
	}
}

func TestABatchOverItsLimitShowsSharesInTheNextRequestOnly(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { require.NoError(t, unmarshal(`{"limits": {"batch_output_chars": 100}}`, s)) }).ID
	b := a.send(sid, call("1", "read_file", `{}`), call("2", "read_file", `{"a": 1}`), call("3", "read_file", `{"a": 2}`))
	long, short := strings.Repeat("l\n", 100), "short"
	a.succeed(b, 0, long)
	a.succeed(b, 1, short)
	var done sessions.Batch
	events := a.since(sid, func() { done = a.succeed(b, 2, long+"x") })
	for _, position := range []int{0, 2} {
		c := done.Calls[position]
		require.NotNil(t, c.Rendered)
		require.Contains(t, c.Rendered.Output, c.Rendered.OutputRef)
		require.Nil(t, c.Result.OutputRef, "the result itself never changes")
		require.Contains(t, c.Result.Output, long)
		page, err := a.Output(t.Context(), a.caller, sid, c.Rendered.OutputRef, 0, 0)
		require.NoError(t, err)
		require.Equal(t, c.Result.Output, page.Text)
	}
	require.Nil(t, done.Calls[1].Rendered, "what is under its share stays")
	completed := data[sessions.Batch](t, events, "batch.completed")
	require.Equal(t, []sessions.Offloaded{
		{Position: 0, OutputRef: done.Calls[0].Rendered.OutputRef, Size: 200},
		{Position: 2, OutputRef: done.Calls[2].Rendered.OutputRef, Size: 201},
	}, completed.Offloaded)
	require.Equal(t, encoded(t, done), encoded(t, a.read(done)))
}

func TestTheReminderIsWholeUnderLimitsOfOne(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for _, sdk := range []bool{false, true} {
		sid := a.create(func(s *sessions.Spec) {
			require.NoError(t, unmarshal(`{"limits": {"tool_output_chars": 1, "batch_output_chars": 1}}`, s))
			s.SDK = &sdk
		}).ID
		var b sessions.Batch
		events := a.since(sid, func() { b = a.send(sid, call("1", "read_file", `{}`), call("2", "EnterPlanMode", `{}`)) })
		want := planmode.ReminderFor(sdk)
		require.Equal(t, want, b.Calls[1].Result.Output)
		require.Nil(t, b.Calls[1].Rendered)
		require.Nil(t, b.Calls[1].Result.OutputRef)
		plan, err := a.Plan(t.Context(), a.caller, sid)
		require.NoError(t, err)
		require.Equal(t, want, plan.Reminder)
		told, err := a.FollowUp(t.Context(), a.caller, sid, b.ID)
		require.NoError(t, err)
		require.Equal(t, want, told.Batch.Calls[1].Result.Output)
		require.Equal(t, []string{"batch.started", "mode.changed", "plan.entered", "call.result", "call.result", "batch.completed"}, types(events))
		require.Equal(t, want, data[scheduler.Result](t, events[4:5], "call.result").Output)
		require.Contains(t, b.Calls[0].Result.Output, "may be sent again", "what the gateway writes is never cut")
	}
}
