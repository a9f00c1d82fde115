package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
)

// fake is a provider that gives one answer and keeps what it was asked.
type fake struct {
	base   string
	path   string
	header http.Header
	body   map[string]json.RawMessage
}

func serve(t *testing.T, status int, answer string) *fake {
	t.Helper()
	f := &fake{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.path, f.header = r.URL.Path, r.Header
		raw, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(raw, &f.body) != nil {
			panic("the request can't be read")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	f.base = server.URL
	return f
}

func (f *fake) at() model.Endpoint {
	return model.Endpoint{Base: f.base + "/", Key: "k", Model: "m", HTTP: http.DefaultClient}
}

// provider is one of the three, with an answer of its that thinks and calls two
// tools, and how it is told their results.
type provider struct {
	begin      func(model.Endpoint, string) model.Chat
	path       string
	key        string // the header with the key
	answer     string
	kept       string // of the answer, in the next request, byte for byte
	messages   string // the member with the conversation
	next       client.NextRequest
	assigned   string // what of the copy carries an id that the gateway made up
	system     string // how the first instruction is sent, and where
	systemPart string
}

// assigned is the gateway's word that the second call had no id.
func assigned(next client.NextRequest) client.NextRequest {
	ids := []struct {
		ID       string `json:"id"`
		Position int    `json:"position"`
	}{{ID: "made_up", Position: 1}}
	next.AssignedIds = &ids
	return next
}

var providers = map[string]provider{
	"anthropic": {
		begin: model.NewAnthropic, path: "/v1/messages", key: "X-Api-Key", messages: "messages",
		answer: `{"id":"r1","role":"assistant","stop_reason":"tool_use","content":[` +
			`{"type":"thinking","thinking":"a < b","signature":"c2ln=="},{"type":"text","text":"Reading."},` +
			`{"type":"tool_use","id":"t1","name":"read_file","input":{"n":12345678901234567890}},{"type":"tool_use","name":"glob","input":{}}]}`,
		kept:     `{"type":"tool_use","id":"t1","name":"read_file","input":{"n":12345678901234567890}}`,
		next:     assigned(client.NextRequest{Messages: json.RawMessage(`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]`)}),
		assigned: `"id":"made_up"`, system: "system", systemPart: `"Be careful."`,
	},
	"openai": {
		begin: model.NewOpenAI, path: "/chat/completions", key: "Authorization", messages: "messages",
		answer: `{"id":"r1","choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":"Reading.","reasoning_content":"a < b","tool_calls":[` +
			`{"id":"t1","type":"function","function":{"name":"read_file","arguments":"{\"n\": 1}"}},{"type":"function","function":{"name":"glob","arguments":"{}"}}]}}]}`,
		kept:     `"{\"n\": 1}"`,
		next:     assigned(client.NextRequest{Messages: json.RawMessage(`[{"role":"tool","tool_call_id":"t1","content":"x"}]`)}),
		assigned: `"id":"made_up"`, system: "messages", systemPart: `"Be careful."`,
	},
	"gemini": {
		begin: model.NewGemini, path: "/v1beta/models/m:generateContent", key: "X-Goog-Api-Key", messages: "contents",
		answer: `{"responseId":"r1","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[` +
			`{"text":"hidden","thought":true},{"text":"Reading."},{"functionCall":{"name":"read_file","args":{"n":1}},"thoughtSignature":"c2ln=="},{"functionCall":{"name":"glob","args":{}}}]}}]}`,
		kept:   `"thoughtSignature":"c2ln=="`,
		next:   client.NextRequest{Contents: json.RawMessage(`[{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"x"}}}]}]`)},
		system: "systemInstruction", systemPart: `"Be careful."`,
	},
}

func TestAConversationGoesToEachProviderInItsOwnShape(t *testing.T) {
	t.Parallel()
	for name, p := range providers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := serve(t, http.StatusOK, p.answer)
			chat := p.begin(f.at(), "Be careful.")
			chat.Offer(json.RawMessage(`[{"name":"a tool"}]`))
			require.NoError(t, chat.Say("What is <there>?"))
			answer, err := chat.Ask(t.Context())
			require.NoError(t, err)
			require.Equal(t, "Reading.", answer.Text, "what was thought is not said")
			require.True(t, answer.Calls)
			require.Equal(t, "r1", answer.ResponseID)
			require.False(t, answer.Cut)

			require.NoError(t, chat.Follow(p.next))
			_, err = chat.Ask(t.Context())
			require.NoError(t, err)
			require.Equal(t, p.path, f.path)
			require.Contains(t, f.header.Get(p.key), "k")
			require.JSONEq(t, `[{"name":"a tool"}]`, string(f.body["tools"]))
			require.Contains(t, string(f.body[p.system]), p.systemPart)
			sent := string(f.body[p.messages])
			require.Contains(t, sent, p.kept)
			require.Contains(t, sent, p.assigned)
		})
	}
}

func TestWhatAProviderRefusesOrBreaksIsAnError(t *testing.T) {
	t.Parallel()
	for name, p := range providers {
		for answer, status := range map[string]int{
			`{"error":"overloaded"}`: http.StatusServiceUnavailable, `no json`: http.StatusOK,
			`{"choices":[],"candidates":[],"content":"x"}`: http.StatusOK,
		} {
			t.Run(name+" "+answer, func(t *testing.T) {
				t.Parallel()
				chat := p.begin(serve(t, status, answer).at(), "")
				require.NoError(t, chat.Say("Hello."))
				before := len(chat.Messages())
				_, err := chat.Ask(t.Context())
				require.Error(t, err)
				require.Len(t, chat.Messages(), before, "what was no answer is not kept")
				var refused *model.StatusError
				if status != http.StatusOK {
					require.ErrorAs(t, err, &refused)
					require.Contains(t, refused.Body, "overloaded")
				}
			})
		}
	}
}

func TestAnAnswerThatNobodyTookIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, p := range providers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chat := p.begin(serve(t, http.StatusOK, p.answer).at(), "")
			require.NoError(t, chat.Say("Hello."))
			before := len(chat.Messages())
			_, err := chat.Ask(t.Context())
			require.NoError(t, err)
			chat.Retract()
			require.Len(t, chat.Messages(), before)
		})
	}
}

func TestAnAnswerThatWasCutSaysSo(t *testing.T) {
	t.Parallel()
	for answer, begin := range map[string]func(model.Endpoint, string) model.Chat{
		`{"role":"assistant","stop_reason":"max_tokens","content":[]}`:                         model.NewAnthropic,
		`{"choices":[{"finish_reason":"length","message":{"content":null}}]}`:                  model.NewOpenAI,
		`{"candidates":[{"finishReason":"MAX_TOKENS","content":{"role":"model","parts":[]}}]}`: model.NewGemini,
	} {
		chat := begin(serve(t, http.StatusOK, answer).at(), "")
		require.NoError(t, chat.Say("Hello."))
		got, err := chat.Ask(t.Context())
		require.NoError(t, err)
		require.True(t, got.Cut)
	}
}

func TestAScriptIsReadStrictly(t *testing.T) {
	t.Parallel()
	_, err := model.ReadScript("testdata/none.yaml")
	require.Error(t, err)
	chat := model.NewScripted(&model.Script{})
	require.NoError(t, chat.Say("Hello."))
	_, err = chat.Ask(t.Context())
	require.ErrorContains(t, err, "no further step")
}
