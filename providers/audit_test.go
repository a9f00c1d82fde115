package providers

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

const reminderText = "<system-reminder>\nplan mode is on\n</system-reminder>"

// entryBatch is a write, the entry into plan mode and a read beside it.
func entryBatch(from Format) FollowUp {
	denied, boundary := "Not executed <here>: it may be sent again.", scheduler.ReasonPlanBoundary
	skipped := func(i int, id, name string) RenderCall {
		return RenderCall{Position: i, ID: id, Name: name, Output: denied, Result: scheduler.Result{
			Position: i, CallID: id, Name: name, Tool: name, Status: scheduler.StatusError,
			ExecutionStatus: scheduler.ExecutionNotStarted, Reason: &boundary, Output: denied,
			Error: &scheduler.CallError{Type: scheduler.ErrorExecutionDenied, Message: denied},
		}}
	}
	entry := RenderCall{Position: 1, ID: "c2", Name: scheduler.ToolEnterPlanMode, Output: reminderText, Success: true, Result: scheduler.Result{
		Position: 1, CallID: "c2", Name: scheduler.ToolEnterPlanMode, Tool: scheduler.ToolEnterPlanMode,
		Status: scheduler.StatusSuccess, ExecutionStatus: scheduler.ExecutionSuccess, Output: reminderText,
	}}
	return FollowUp{From: from, Calls: []RenderCall{skipped(0, "c1", "write_file"), entry, skipped(2, "c3", "read_file")}}
}

// ran is a batch of reads that all ran.
func ran(from Format, outputs ...string) FollowUp {
	u := FollowUp{From: from}
	for i, o := range outputs {
		id := "r" + string(rune('1'+i))
		u.Calls = append(u.Calls, RenderCall{Position: i, ID: id, Name: "read_file", Output: o, Success: true, Result: scheduler.Result{
			Position: i, CallID: id, Name: "read_file", Tool: "read_file", Status: scheduler.StatusSuccess,
			ExecutionStatus: scheduler.ExecutionSuccess, Output: o,
		}})
	}
	return u
}

// conversation is the list that a host sends in a format: words of a person,
// the model's calls, and what the gateway rendered.
type conversation struct {
	t       *testing.T
	f       Format
	entries []any
	answers int // where the follow-up begins
}

func converse(t *testing.T, f Format, u FollowUp) *conversation {
	t.Helper()
	c := &conversation{t: t, f: f}
	if f != Native {
		c.entries = append(c.entries, before(f, u)...)
	}
	c.answers = len(c.entries)
	rendered, err := Render(f, u)
	require.NoError(t, err)
	var doc any
	require.NoError(t, json.Unmarshal(rendered, &doc))
	c.entries = append(c.entries, listOf(doc, dialogues[f].list)...)
	return c
}

// before is a prompt and the model's message that made the calls.
func before(f Format, u FollowUp) []any {
	var parts []any
	for _, c := range u.Calls {
		parts = append(parts, map[Format]any{
			Anthropic:       object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}},
			OpenAIChat:      object{"type": "function", "id": c.ID, "function": object{"name": c.Name, "arguments": "{}"}},
			OpenAIResponses: object{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": "{}"},
			Gemini:          object{"functionCall": object{"id": c.ID, "name": c.Name, "args": object{}}},
		}[f])
	}
	switch f {
	case Anthropic:
		return []any{object{"role": "user", "content": "hi"}, object{"role": "assistant", "content": parts}}
	case OpenAIChat:
		return []any{
			object{"role": "system", "content": "be good"},
			object{"role": "user", "content": "hi"},
			object{"role": "assistant", "content": nil, "tool_calls": parts},
		}
	case OpenAIResponses:
		return append([]any{object{"role": "user", "content": "hi"}, object{"type": "reasoning", "summary": []any{}}}, parts...)
	default:
		return []any{
			object{"role": "user", "parts": []any{object{"text": "hi"}}}, object{"role": "model", "parts": parts},
		}
	}
}

type object = map[string]any

// results are where the answers stand, to be tampered with.
func (c *conversation) results() []any {
	switch c.f {
	case Anthropic:
		return listOf(c.entries[c.answers], "content")
	case Gemini:
		return listOf(c.entries[c.answers], "parts")
	default:
		return c.entries[c.answers:]
	}
}

func (c *conversation) setResults(list []any) *conversation {
	switch c.f {
	case Anthropic:
		c.entries[c.answers].(object)["content"] = list
	case Gemini:
		c.entries[c.answers].(object)["parts"] = list
	default:
		c.entries = append(c.entries[:c.answers:c.answers], list...)
	}
	return c
}

// textAt is the member that holds the text of the i-th answer.
func (c *conversation) setText(i int, change func(string) string) {
	at, key := c.results()[i].(object), map[Format]string{
		Native: "output", Anthropic: "content", OpenAIChat: "content", OpenAIResponses: "output",
	}[c.f]
	if c.f == Gemini {
		at = at["functionResponse"].(object)["response"].(object)
		for key = range at {
			break
		}
	}
	at[key] = change(at[key].(string))
}

func (c *conversation) audit(u FollowUp) []Violation {
	c.t.Helper()
	text, err := json.Marshal(c.entries)
	require.NoError(c.t, err)
	found, err := Audit(c.f, u, text)
	require.NoError(c.t, err)
	for _, v := range found {
		require.NotEmpty(c.t, v.Detail)
		for _, secret := range []string{"Not executed", "plan mode is on", "package"} {
			require.NotContains(c.t, v.Detail, secret, "details hold no text")
		}
	}
	return found
}

func codes(found []Violation) []ViolationCode {
	out := make([]ViolationCode, len(found))
	for i, v := range found {
		out[i] = v.Code
	}
	return out
}

// inEveryFormat runs a test for batches of every format answered in every.
func inEveryFormat(t *testing.T, run func(t *testing.T, from, to Format)) {
	for _, from := range Formats {
		for _, to := range Formats {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				t.Parallel()
				run(t, from, to)
			})
		}
	}
}

func TestWhatTheGatewayRendersPassesItsAuditWholeAndAsATail(t *testing.T) {
	t.Parallel()
	inEveryFormat(t, func(t *testing.T, from, to Format) {
		u := entryBatch(from)
		u.Notices = []string{"a person left plan mode", "and so on"}
		c := converse(t, to, u)
		require.Empty(t, c.audit(u))
		c.entries, c.answers = c.entries[c.answers:], 0
		require.Empty(t, c.audit(u), "the tail alone")
	})
}

func TestEveryBreachOfAHostIsNamed(t *testing.T) {
	t.Parallel()
	inEveryFormat(t, func(t *testing.T, from, to Format) {
		t.Run("a truncated reminder", func(t *testing.T) {
			u := entryBatch(from)
			c := converse(t, to, u)
			c.setText(1, func(s string) string { return s[:len(s)/2] })
			found := c.audit(u)
			require.Equal(t, []ViolationCode{ViolationReminder}, codes(found))
			require.Equal(t, "c2", found[0].CallID)
			require.Equal(t, 1, *found[0].Position)
		})
		t.Run("a reworded denial", func(t *testing.T) {
			u := entryBatch(from)
			c := converse(t, to, u)
			c.setText(2, func(string) string { return "done" })
			require.Equal(t, []ViolationCode{ViolationDenial}, codes(c.audit(u)))
		})
		t.Run("a dropped denial", func(t *testing.T) {
			u := entryBatch(from)
			c := converse(t, to, u)
			found := c.setResults(slices.Delete(c.results(), 0, 1)).audit(u)
			require.Equal(t, []ViolationCode{ViolationDenial}, codes(found))
			require.Equal(t, "c1", found[0].CallID)
		})
		t.Run("a rewritten output", func(t *testing.T) {
			u := ran(from, "package a", "package b")
			c := converse(t, to, u)
			c.setText(0, func(s string) string { return s + " (edited)" })
			require.Equal(t, []ViolationCode{ViolationAltered}, codes(c.audit(u)))
		})
		t.Run("a notice that is not told", func(t *testing.T) {
			u := ran(from, "package a")
			c := converse(t, to, u)
			u.Notices = []string{"a person left plan mode"}
			want := []ViolationCode{ViolationNotice}
			if to == Native {
				want = []ViolationCode{} // the results are a list; notices stand beside it
			}
			require.Equal(t, want, codes(c.audit(u)))
		})
	})
}

func TestAResultThatIsDroppedDoubledMovedOrMadeUpIsNamed(t *testing.T) {
	t.Parallel()
	for _, f := range Formats {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			u := ran(f, "package a", "package b", "package c")
			c := converse(t, f, u)
			require.Equal(t, []ViolationCode{ViolationMissing}, codes(c.setResults(slices.Delete(c.results(), 1, 2)).audit(u)))
			c = converse(t, f, u)
			require.Equal(t, []ViolationCode{ViolationDuplicate}, codes(c.setResults(append(c.results(), c.results()[0])).audit(u)))
			c = converse(t, f, u)
			slices.Reverse(c.results())
			require.Equal(t, []ViolationCode{ViolationOrder, ViolationOrder}, codes(c.audit(u)))
			extra := converse(t, f, ran(f, "w", "x", "y", "z")).results()[3]
			c = converse(t, f, u)
			require.Equal(t, []ViolationCode{ViolationUnknown}, codes(c.setResults(append(c.results(), extra)).audit(u)))
			c = converse(t, f, u)
			if f != Native && f != OpenAIResponses {
				c.entries = c.entries[:c.answers]
				require.Contains(t, codes(c.audit(u)), ViolationMissing, "no follow-up at all")
			}
		})
	}
}

func TestAFollowUpBehindOtherWordsOfTheModelIsMisplaced(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Anthropic, OpenAIChat, Gemini, OpenAIResponses} {
		u := ran(f, "package a")
		other := ran(f, "x")
		other.Calls[0].ID = "other"
		c := converse(t, f, u)
		c.entries = append(before(f, other), c.entries[c.answers:]...)
		require.Equal(t, []ViolationCode{ViolationMisplaced}, codes(c.audit(u)), f)
	}
}

func TestTheFollowUpIsFoundInAConversationThatGoesOn(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Anthropic, OpenAIChat, Gemini, OpenAIResponses} {
		first, second := ran(f, "package a", "package b"), entryBatch(f)
		c := converse(t, f, first)
		c.entries = append(c.entries, converse(t, f, second).entries...)
		require.Empty(t, c.audit(first), f)
		require.Empty(t, c.audit(second), f)
		numbered := ran(f, "another") // a server that begins its ids anew
		c.entries = append(c.entries, converse(t, f, numbered).entries...)
		require.Empty(t, c.audit(numbered), f)
	}
}

func TestAnswersMayStandRightBehindTheirCallsWhereTheProviderAllowsIt(t *testing.T) {
	t.Parallel()
	u := ran(OpenAIResponses, "package a", "package b")
	c := converse(t, OpenAIResponses, u)
	n := len(c.entries)
	c.entries[n-3], c.entries[n-2] = c.entries[n-2], c.entries[n-3]
	require.Empty(t, c.audit(u))
}

func TestTextMayBeGivenInParts(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Anthropic, OpenAIChat, OpenAIResponses} {
		u := ran(f, "package a")
		c := converse(t, f, u)
		key := map[Format]string{Anthropic: "content", OpenAIChat: "content", OpenAIResponses: "output"}[f]
		at := c.results()[0].(object)
		at[key] = []any{object{"type": "text", "text": "package "}, object{"type": "text", "text": "a"}}
		require.Empty(t, c.audit(u), f)
		at[key] = []any{object{"type": "text", "text": "package a"}, object{"type": "image"}}
		require.Equal(t, []ViolationCode{ViolationAltered}, codes(c.audit(u)), f)
	}
}

func TestAFailureHasToLookLikeOne(t *testing.T) {
	t.Parallel()
	u := entryBatch(Anthropic)
	c := converse(t, Anthropic, u)
	delete(c.results()[0].(object), "is_error")
	require.Equal(t, []ViolationCode{ViolationDenial}, codes(c.audit(u)))
}

func TestAnAuditNamesOnlySoManyBreachesAndNoLongIDs(t *testing.T) {
	t.Parallel()
	u := ran(OpenAIChat, "package a")
	var list []any
	for range 2 * MaxAudited {
		list = append(list, object{"role": "tool", "tool_call_id": strings.Repeat("ö", 1000), "content": "x"})
	}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	found, err := Audit(OpenAIChat, u, text)
	require.NoError(t, err)
	require.Len(t, found, MaxAudited)
	require.LessOrEqual(t, len(found[0].CallID), maxToldID)
	found, err = Audit(OpenAIChat, u, []byte(`{"a":`))
	require.NoError(t, err)
	require.Equal(t, []ViolationCode{ViolationMalformed}, codes(found))
	_, err = Audit("telex", u, text)
	require.ErrorIs(t, err, ErrFormat)
}

func FuzzAudit(f *testing.F) {
	u := entryBatch(Anthropic)
	for _, format := range Formats {
		rendered, err := Render(format, u)
		require.NoError(f, err)
		f.Add(string(format), rendered)
	}
	f.Add("gemini", []byte(`[{"role":"model","parts":[{"functionCall":{}}]},{"parts":[null,1]}]`))
	f.Fuzz(func(t *testing.T, format string, messages []byte) {
		found, err := Audit(Format(format), u, messages)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		_, err = json.Marshal(found)
		require.NoError(t, err)
	})
}
