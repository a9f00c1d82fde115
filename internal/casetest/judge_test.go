package casetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/providers"
)

// twoCalls is a batch that has ended, and its events.
func twoCalls(t *testing.T) (Batch, []Event) {
	t.Helper()
	var b Batch
	require.NoError(t, json.Unmarshal([]byte(`{"id":"b","status":"completed","calls":[
		{"position":0,"id":"c1","state":"done","result":{"position":0,"call_id":"c1","reason":null,"output":"one"}},
		{"position":1,"id":"c2","state":"done","result":{"position":1,"call_id":"c2","reason":null,"output":"two"}}]}`), &b))
	result := func(i int) Event {
		return Event{Type: "call.result", BatchID: "b", Data: b.Calls[i].Result.Raw}
	}
	return b, []Event{{Type: "batch.started", BatchID: "b"}, result(1), result(0), {Type: "batch.completed", BatchID: "b"}}
}

func TestOneResultPerCallAndTheEndLastIsGood(t *testing.T) {
	t.Parallel()
	b, events := twoCalls(t)
	require.NoError(t, CheckResults(b, events))
	late := Event{Type: "call.late", BatchID: "b"}
	require.NoError(t, CheckResults(b, append(events, late)))
}

func TestEveryBrokenPromiseOfABatchIsFound(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(*Batch, []Event) []Event{
		"a result is missing":         func(_ *Batch, e []Event) []Event { return append(e[:1:1], e[2:]...) },
		"a result comes twice":        func(_ *Batch, e []Event) []Event { return append(e[:2:2], e[1:]...) },
		"a result follows the end":    func(_ *Batch, e []Event) []Event { return []Event{e[0], e[1], e[3], e[2]} },
		"there is no end":             func(_ *Batch, e []Event) []Event { return e[:3] },
		"there are two ends":          func(_ *Batch, e []Event) []Event { return append(e, e[3]) },
		"the document says otherwise": func(b *Batch, e []Event) []Event { b.Calls[0].Result.Raw = []byte(`{"output":"three"}`); return e },
		"the document has no result":  func(b *Batch, e []Event) []Event { b.Calls[1].Result = nil; return e },
		"a result is for another id":  func(b *Batch, e []Event) []Event { b.Calls[0].ID = "c9"; return e },
		"a result is for no position": func(b *Batch, e []Event) []Event { b.Calls = b.Calls[:1]; return e },
	} {
		b, events := twoCalls(t)
		require.Error(t, CheckResults(b, breaks(&b, events)), name)
	}
}

func TestARenderingMustSayWhatTheResultsSay(t *testing.T) {
	t.Parallel()
	b, _ := twoCalls(t)
	x := providers.Exchange{From: providers.Native, To: providers.OpenAIChat, Calls: []providers.Asked{{ID: "c1"}, {ID: "c2"}}}
	require.Empty(t, CheckRendering(x, b, []byte(`{"messages":[{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"tool","tool_call_id":"c2","content":"two"}]}`)))
	require.NotEmpty(t, CheckRendering(x, b, []byte(`{"messages":[{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"tool","tool_call_id":"c2","content":"2"}]}`)))
	require.NotEmpty(t, CheckRendering(x, b, []byte(`{"messages":[{"role":"tool","tool_call_id":"c2","content":"two"},{"role":"tool","tool_call_id":"c1","content":"one"}]}`)))
}

func TestEveryUnmetExpectationIsFound(t *testing.T) {
	t.Parallel()
	b, events := twoCalls(t)
	b.Stop = &Stop{Reason: "turn_stopped"}
	for expectation, met := range map[string]bool{
		`{"results":[{"call_id":"c1"},{"output":"two","reason":null}]}`: true,
		`{"results":[{"call_id":"c1"}]}`:                                false,
		`{"results":[{"call_id":"c2"},{}]}`:                             false,
		`{"results":[{"output":"@reminder"},{}]}`:                       false,
		`{"results":[{"error_type":"UNKNOWN"},{}]}`:                     false,
		`{"results":[{"error_type":null},{}]}`:                          true,
		`{"dispatched":[]}`:                                             true,
		`{"dispatched":["c1"]}`:                                         false,
		`{"approvals":["c1"]}`:                                          false,
		`{"stop":"turn_stopped"}`:                                       true,
		`{"stop":null}`:                                                 false,
		`{"exit_code":1}`:                                               false,
		`{"output_contains":{"c2":"tw"}}`:                               true,
		`{"output_contains":{"c2":"one"}}`:                              false,
		`{"output_contains":{"c3":""}}`:                                 false,
	} {
		p := &play{run: &run{reminder: "r"}, batch: b, events: events}
		require.NoError(t, json.Unmarshal([]byte(expectation), &p.step.Expect))
		require.Equal(t, met, len(p.compare()) == 0, "%s: %v", expectation, p.compare())
	}
}

func TestTheCasesThatComeWithThePackageAreReadable(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, file := range []string{Conformance, Further} {
		cases, err := Load(file)
		require.NoError(t, err)
		for _, c := range cases {
			require.False(t, names[c.Name], "%s is there twice", c.Name)
			require.NotEmpty(t, c.Steps, c.Name)
			names[c.Name] = true
		}
	}
	_, err := Load("none.json")
	require.Error(t, err)
}
