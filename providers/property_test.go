package providers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/scheduler"
)

// spoken is a call as a provider says it.
type spoken struct {
	id        string // empty: none
	name      string
	arguments string // an object's text
	custom    bool
}

func drawCalls(t *rapid.T, f Format) []spoken {
	one := rapid.Custom(func(t *rapid.T) spoken {
		return spoken{
			// few ids, so that some come twice
			id:        rapid.SampledFrom([]string{"", "call_0", "call_1", "toolu_é\"<", strings.Repeat("x", 50)}).Draw(t, "id"),
			name:      rapid.String().Draw(t, "name"),
			arguments: drawObject(t),
			custom:    (f == OpenAIChat || f == OpenAIResponses) && rapid.Bool().Draw(t, "custom"),
		}
	})
	return rapid.SliceOfN(one, 1, 8).Draw(t, "calls")
}

// drawObject writes an object with blanks, escapes and numbers that encoding
// it again would change.
func drawObject(t *rapid.T) string {
	blank := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "blank")
	value := rapid.SampledFrom([]string{`1.0`, `12345678901234567890`, `[ ]`, `"\u003c\/é"`, `"<&>"`, `{"a":1,"a":2}`}).Draw(t, "value")
	return `{` + blank + `"k"` + blank + `:` + value + blank + `}`
}

func quoted(t require.TestingT, s string) string {
	b, err := json.Marshal(s)
	require.NoError(t, err)
	return string(b)
}

// say writes the message in which a provider makes the calls, with things in
// between that are not calls.
func say(t require.TestingT, f Format, calls []spoken) string {
	list, noise := wires[f].list, map[Format]string{
		Anthropic:       `{"type":"thinking","thinking":"","signature":"s"}`,
		OpenAIResponses: `{"type":"reasoning","id":"rs"}`,
		Gemini:          `{"text":"so","thought":true}`,
	}[f]
	var elements []string
	for _, c := range calls {
		if noise != "" {
			elements = append(elements, noise)
		}
		elements = append(elements, sayCall(t, f, c))
	}
	return `{"unknown":{"list":[]},"` + list + `":[` + joined(elements) + `]}`
}

func sayCall(t require.TestingT, f Format, c spoken) string {
	id, name, text := quoted(t, c.id), quoted(t, c.name), quoted(t, c.arguments)
	switch {
	case f == Anthropic:
		return `{"type":"tool_use","id":` + id + `,"name":` + name + `,"input":` + c.arguments + `}`
	case f == Gemini:
		return `{"functionCall":{"id":` + id + `,"name":` + name + `,"args":` + c.arguments + `},"thoughtSignature":"s"}`
	case f == OpenAIChat && c.custom:
		return `{"type":"custom","id":` + id + `,"custom":{"name":` + name + `,"input":` + text + `}}`
	case f == OpenAIChat:
		return `{"type":"function","id":` + id + `,"function":{"name":` + name + `,"arguments":` + text + `}}`
	case c.custom:
		return `{"type":"custom_tool_call","call_id":` + id + `,"name":` + name + `,"input":` + text + `}`
	default:
		return `{"type":"function_call","id":"fc","call_id":` + id + `,"name":` + name + `,"arguments":` + text + `}`
	}
}

func joined(elements []string) string { return strings.Join(elements, ",") }

func TestWhateverAProviderSaysIsReadWholeAndAnsweredInEveryFormat(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(Formats[1:]).Draw(t, "from")
		said := drawCalls(t, from)
		message := json.RawMessage(say(t, from, said))
		parsed, err := Parse(from, Envelope{Message: message}, countedIDs())
		require.NoError(t, err)
		requireSameCalls(t, said, parsed.Calls)

		u := answered(from, parsed.Calls)
		u.Notices = rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "notices")
		for _, to := range Formats {
			requireAnswered(t, to, u, exchange(from, to, parsed.Calls))
		}
		own, err := Render(from, u)
		require.NoError(t, err)
		require.Empty(t, Conforms(from, message, own))
	})
}

func requireSameCalls(t require.TestingT, said []spoken, calls []scheduler.Input) {
	require.Len(t, calls, len(said))
	for i, s := range said {
		require.Equal(t, s.id == "", calls[i].IDAssigned)
		require.NotEmpty(t, calls[i].ID)
		require.Equal(t, s.name, calls[i].Name)
		require.Equal(t, s.custom, calls[i].Custom)
		require.Equal(t, scheduler.FaultNone, calls[i].Fault)
		if s.custom {
			var wrapped map[string]string
			require.NoError(t, json.Unmarshal([]byte(calls[i].Arguments), &wrapped))
			require.Equal(t, map[string]string{"input": s.arguments}, wrapped)
			continue
		}
		require.Equal(t, s.arguments, calls[i].Arguments)
	}
}

func requireAnswered(t require.TestingT, to Format, u FollowUp, x Exchange) {
	rendered, err := Render(to, u)
	require.NoError(t, err)
	require.Empty(t, x.Check(rendered), "%s to %s: %s", u.From, to, rendered)
	again, err := Render(to, u)
	require.NoError(t, err)
	require.Equal(t, string(rendered), string(again))
	requireAuditPasses(t, to, u, rendered)
}

// requireAuditPasses sends a rendering as it is.
func requireAuditPasses(t require.TestingT, to Format, u FollowUp, rendered []byte) {
	var doc map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(rendered, &doc))
	found, err := Audit(to, u, doc[dialogues[to].list])
	require.NoError(t, err)
	require.Empty(t, found, "%s to %s: %s", u.From, to, rendered)
}
