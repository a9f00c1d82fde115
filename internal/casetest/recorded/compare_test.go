package recorded

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/providers"
)

// items reads a request's items.
func items(t *testing.T, raw string) []any {
	t.Helper()
	var list []any
	require.NoError(t, json.Unmarshal([]byte(raw), &list))
	return list
}

func TestAnswersAreReadInEveryFormat(t *testing.T) {
	t.Parallel()
	for format, c := range map[providers.Format]struct {
		items string
		want  []answer
	}{
		providers.Anthropic: {
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]},{"type":"tool_result","tool_use_id":"b","content":"no","is_error":true}]}]`,
			[]answer{{id: "a", kind: "tool_result", text: "xy", turn: 1}, {id: "b", kind: "tool_result", text: "no", failed: true, turn: 1}},
		},
		providers.OpenAIChat: {
			`[{"role":"assistant"},{"role":"tool","tool_call_id":"a","content":"x"},{"role":"user","content":"hi"}]`,
			[]answer{{id: "a", kind: "tool", text: "x", turn: 1}},
		},
		providers.OpenAIResponses: {
			`[{"type":"function_call","call_id":"a"},{"type":"function_call_output","call_id":"a","output":"x"},{"type":"custom_tool_call_output","call_id":"b","output":"y"}]`,
			[]answer{{id: "a", kind: "function_call_output", text: "x", turn: 1}, {id: "b", kind: "custom_tool_call_output", text: "y", turn: 2}},
		},
		providers.Gemini: {
			`[{"parts":[{"functionResponse":{"name":"f","response":{"return_value":"x"}}},{"function_response":{"id":"i","name":"g","response":{"error":"no"}}},{"text":"z"}]}]`,
			[]answer{{kind: "functionResponse f", text: "x"}, {id: "i", kind: "functionResponse g", text: "no", failed: true}},
		},
	} {
		require.Equal(t, c.want, answersIn(format, items(t, c.items)), "%s", format)
	}
}

func TestAnswersFindTheirCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked []string
		then  []string
		want  map[int]string
	}{
		"by id":                           {[]string{"a", "b"}, []string{"b", "a"}, map[int]string{0: "a", 1: "b"}},
		"behind a prefix of the client":   {[]string{"call_0"}, []string{"resp_1:call_0"}, map[int]string{0: "resp_1:call_0"}},
		"by place where there is no id":   {[]string{"", ""}, []string{"x", "y"}, map[int]string{0: "x", 1: "y"}},
		"not where places can't be told":  {[]string{"", ""}, []string{"x"}, map[int]string{}},
		"not those of an earlier message": {[]string{"a"}, []string{"z", "a"}, map[int]string{0: "a"}},
		"one each of the same id":         {[]string{"a", "a"}, []string{"a", "a"}, map[int]string{0: "a", 1: "a"}},
	} {
		var asked []providers.Asked
		for _, id := range c.asked {
			asked = append(asked, providers.Asked{ID: id})
		}
		var then []answer
		for _, id := range c.then {
			then = append(then, answer{id: id})
		}
		got := map[int]string{}
		for i, a := range match(asked, then) {
			got[i] = a.id
		}
		require.Equal(t, c.want, got, name)
	}
}

func TestADifferenceIsFound(t *testing.T) {
	t.Parallel()
	good := answer{kind: "tool", text: "x", turn: 3}
	require.NoError(t, compare([]answer{good}, map[int]answer{0: good}))
	for name, ours := range map[string]answer{
		"kind":  {kind: "user", text: "x"},
		"error": {kind: "tool", text: "x", failed: true},
		"text":  {kind: "tool", text: "y"},
	} {
		require.Error(t, compare([]answer{ours}, map[int]answer{0: good}), name)
	}
	earlier := good
	earlier.turn = 1
	require.Error(t, compare([]answer{good, good}, map[int]answer{0: good, 1: earlier}), "order")
}

func TestAFolderIsReadInOrderAndAnEmptyOneIsRefused(t *testing.T) {
	t.Parallel()
	records, err := Load(fstest.MapFS{
		"b.json":   {Data: []byte(`{"batch":{"format":"gemini","message":{"parts":[]}},"then_accepted":null}`)},
		"a/c.json": {Data: []byte(`{"batch":{}}`)}, "README.md": {Data: []byte("x")},
	})
	require.NoError(t, err)
	require.Len(t, records, 2)
	require.Equal(t, "a/c", records[0].Name)
	_, err = Load(fstest.MapFS{"README.md": {}})
	require.ErrorIs(t, err, ErrNoRecords)
	_, err = Load(fstest.MapFS{"a.json": {Data: []byte(`[`)}})
	require.Error(t, err)
}

func TestGatewayToolsAreNotDeclared(t *testing.T) {
	t.Parallel()
	tools := Tools([]providers.Asked{{Name: "enter_plan_mode"}, {Name: "a"}, {Name: "a"}, {Name: "read"}})
	require.Equal(t, []map[string]any{{"name": "a"}, {"name": "read", "kind": "read"}}, tools)
}
