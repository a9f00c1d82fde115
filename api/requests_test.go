package api_test

import (
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

const batches = "/v1/sessions/" + sid + "/batches"

func TestArgumentsReachTheUseCaseByteForByte(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{
		`{ "b" : 1 , "a" : [ ] }`, `{"n": 12345678901234567890, "f": 1.0e+2}`, `{"path":"ok","path":".env"}`,
		`{"s":"\ud800"}`, `{"s":"\u003c<>&"}`, `[1]`, `"text"`, `null`, `7`, `{"deep":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
	} {
		b := start(t)
		a := b.Post(t, batches, `{"calls":[{"id":"c1","name":"write_file","arguments":`+arguments+`}]}`)
		require.Equal(t, 202, a.Status, "%s", a.Body)
		require.Equal(t, arguments, b.service.submission.Calls[0].Arguments)
	}
}

func TestAbsentArgumentsAreAnEmptyObjectAndAbsentIDsAreMade(t *testing.T) {
	t.Parallel()
	b := start(t)
	require.Equal(t, 202, b.Post(t, batches, `{"turn_id":"t1","host_id":"h","response_id":null,"calls":[{"name":"a"},{"id":"","name":"b"}]}`).Status)
	in := b.service.submission
	require.Equal(t, "t1", *in.TurnID)
	require.Equal(t, "h", *in.HostID)
	require.Nil(t, in.ResponseID)
	for _, c := range in.Calls {
		assert.Equal(t, "{}", c.Arguments)
		assert.True(t, c.IDAssigned)
		assert.Regexp(t, `^call_[0-9A-Z]{26}$`, c.ID)
	}
}

func TestAMessageIsKeptAsItCameAndItsIDIsTheResponses(t *testing.T) {
	t.Parallel()
	message := `{"id": "msg_1", "role": "assistant", "unknown": [1, 1],  "content": [{"type": "tool_use", "id": "t1", "name": "other", "input": {}}]}`
	b := start(t)
	require.Equal(t, 202, b.Post(t, batches, `{"format":"anthropic","message":`+message+`}`).Status)
	require.Equal(t, message, string(b.service.submission.Message))
	require.Equal(t, "msg_1", *b.service.submission.ResponseID)
	require.Equal(t, 202, b.Post(t, batches, `{"format":"anthropic","response_id":"r1","message":`+message+`}`).Status)
	require.Equal(t, "r1", *b.service.submission.ResponseID, "what the host says beats the message")
	require.Equal(t, 202, b.Post(t, batches, `{"format":"anthropic","response_id":"","message":`+message+`}`).Status)
	require.Equal(t, "msg_1", *b.service.submission.ResponseID, "an empty one says nothing")
}

func TestBothSpellingsOfTheFinishReasonAreRead(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"format":"openai_chat","finish_reason":"length","message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{\"x"}}]}}`,
		`{"format":"gemini","finishReason":"MALFORMED_FUNCTION_CALL","message":{"role":"model","parts":[{"functionCall":{"name":"a","args":{}}}]}}`,
	} {
		b := start(t)
		a := b.Post(t, batches, body)
		require.Equal(t, 202, a.Status, "%s", a.Body)
		require.Equal(t, scheduler.FaultTruncated, b.service.submission.Calls[0].Fault)
	}
}

func TestAProvidersSpellingOfANameIsTakenBack(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.tools = sessions.ToolSet{{Name: "my tool", InputSchema: scheduler.RawJSON(`{}`)}}
	advertised := b.Get(t, "/v1/sessions/"+sid+"/tools?format=anthropic")
	require.Contains(t, string(advertised.Body), `"my_tool"`)
	body := `{"format":"anthropic","message":{"content":[{"type":"tool_use","id":"t1","name":"my_tool","input":{}}]}}`
	require.Equal(t, 202, b.Post(t, batches, body).Status)
	require.Equal(t, "my tool", b.service.submission.Calls[0].Name)
}

func TestToolsAreAdvertisedInEveryFormat(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, format := range []string{"", "native", "anthropic", "openai_chat", "openai_responses", "gemini"} {
		a := b.Get(t, strings.TrimSuffix("/v1/sessions/"+sid+"/tools?format="+format, "?format="))
		require.Equal(t, 200, a.Status)
		require.Contains(t, string(a.Body), `"write_file"`)
	}
}

func TestNextRequestUsesTheBatchsFormatAndItsRenderedOutputs(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.followUp.Batch.Format = "anthropic"
	b.service.followUp.Batch.Calls[0].Rendered = &sessions.Rendered{Output: "<cut>", OutputRef: "out_1"}
	a := b.Get(t, batches+"/"+bid+"/next-request")
	require.Contains(t, string(a.Body), `"messages"`)
	require.Contains(t, string(a.Body), `<cut>`, "bytes are sent as they were rendered")
	for _, format := range []string{"native", "anthropic", "openai_chat", "openai_responses", "gemini"} {
		require.Equal(t, 200, b.Get(t, batches+"/"+bid+"/next-request?format="+format).Status, format)
	}
}

func TestIdempotencyBindsTheKeyToRouteAndBody(t *testing.T) {
	t.Parallel()
	b := start(t)
	body := `{"calls": [{"id": "c1", "name": "a"}]}`
	send := func() apitest.Answer {
		return b.Do(t, apitest.Call{Method: "POST", Path: batches, Body: body, Header: map[string]string{"Idempotency-Key": "k-1"}})
	}
	require.Empty(t, send().Header.Get("Idempotency-Replayed"))
	require.Equal(t, sessions.Idempotency{Key: "k-1", Route: "POST " + batches, BodyHash: sha256.Sum256([]byte(body))}, b.service.idem)
	b.service.replayed = true
	require.Equal(t, "true", send().Header.Get("Idempotency-Replayed"))
	b.Post(t, batches, body)
	require.Zero(t, b.service.idem, "no key, no record")
}

func TestPlanRevisionsAreEntityTags(t *testing.T) {
	t.Parallel()
	b := start(t)
	plan := "/v1/sessions/" + sid + "/plan"
	require.Equal(t, `"4"`, b.Get(t, plan).Header.Get("ETag"))
	patch := func(tag string) apitest.Answer {
		return b.Do(t, apitest.Call{Method: "PATCH", Path: plan, Body: `{"text":""}`, Header: map[string]string{"If-Match": tag}})
	}
	require.Equal(t, 200, patch(`"4"`).Status)
	require.Equal(t, int64(4), *b.service.plan.IfMatch)
	require.Empty(t, *b.service.plan.Text)
	require.Equal(t, 200, patch("*").Status)
	require.Nil(t, b.service.plan.IfMatch)
	require.Equal(t, []string{"If-Match"}, patch("4").Problem(t).Fields())
}

func TestWaitTakesDurationsAndSeconds(t *testing.T) {
	t.Parallel()
	b := start(t)
	for text, want := range map[string]time.Duration{
		"30s": 30 * time.Second, "500ms": 500 * time.Millisecond, "7": 7 * time.Second, "60": time.Minute, "1m": time.Minute,
		"1.5s": 1500 * time.Millisecond, "0": 0,
	} {
		require.Equal(t, 200, b.Get(t, batches+"/"+bid+"?wait="+text).Status, text)
		require.Equal(t, want, b.service.wait, text)
	}
}

func TestACursorComesFromTheHeaderBeforeTheQuery(t *testing.T) {
	t.Parallel()
	b := start(t)
	get := func(query, header string) string {
		call := apitest.Call{Method: "GET", Path: "/v1/sessions/" + sid + "/events" + query}
		if header != "" {
			call.Header = map[string]string{"Last-Event-ID": header}
		}
		return string(b.Do(t, call).Body)
	}
	require.Equal(t, "data: 0-00000000\n\n", get("", ""))
	require.Equal(t, "data: 7-0011aabb\n\n", get("?after=7-0011aabb", ""))
	require.Equal(t, "data: 9-00000001\n\n", get("?after=latest", "9-00000001"))
	require.Equal(t, "data: latest\n\n", get("?after=latest&types=call.,batch.completed", ""))
	require.True(t, b.hub.got.Filter.Pass("call.result"))
	require.False(t, b.hub.got.Filter.Pass("plan.entered"))
	require.Equal(t, stream.Topic{Tenant: "dev", Session: sid}, b.hub.got.Topic)
}

func TestATenantsStreamIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	b := start(t)
	cursor := func(text string) stream.TenantCursor {
		c, err := stream.ParseTenantCursor(text)
		require.NoError(t, err)
		return c
	}
	for _, test := range []struct{ query, header, want string }{
		{"", "", ""},
		{"?after=latest", "", "latest"},
		{"?after=AQABAQIDBA", "", "AQABAQIDBA"},
		{"?after=latest&types=approval.", "AQ", "AQ"},
	} {
		call := apitest.Call{Method: "GET", Path: "/v1/events" + test.query}
		if test.header != "" {
			call.Header = map[string]string{"Last-Event-ID": test.header}
		}
		require.Equal(t, 200, b.Do(t, call).Status)
		got := b.hub.gotTenant
		require.Equal(t, "dev", got.Tenant)
		require.EqualValues(t, 7, got.Buckets[0])
		require.Equal(t, cursor(test.want), got.Cursor, "%+v", test)
	}
	require.False(t, b.hub.gotTenant.Filter.Pass("batch.completed"))
	for _, query := range []string{"?after=1-0a1b2c3d", "?after=0-00000000", "?after=AQ=="} {
		require.Equal(t, "invalid_cursor", b.Get(t, "/v1/events"+query).Problem(t).Code, query)
	}
}

func TestATranscriptIsOneLineABatch(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.lines = append(b.service.lines, b.service.lines[0])
	path := "/v1/sessions/" + sid + "/transcript"
	a := b.Get(t, path)
	require.Equal(t, "application/x-ndjson", a.Header.Get("Content-Type"))
	lines := strings.Split(strings.TrimSuffix(string(a.Body), "\n"), "\n")
	require.Len(t, lines, 2)
	for _, line := range lines {
		require.NoError(t, apitest.LoadContract(t).CheckSchema("TranscriptLine", []byte(line)))
	}
	b.service.lines = nil
	require.Empty(t, b.Get(t, path).Body)
	b.service.lastErr = errors.New("log is gone")
	require.Equal(t, "internal", b.Get(t, path).Problem(t).Code, "before the first line it can still be said")
}

func TestATranscriptThatBreaksOffLooksBroken(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.service.lastErr = errors.New("log is gone")
	req, err := http.NewRequestWithContext(t.Context(), "GET", b.base+"/v1/sessions/"+sid+"/transcript", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer viewer")
	res, err := http.DefaultClient.Do(req)
	if err == nil { // the header had left already
		_, err = io.ReadAll(res.Body)
		require.NoError(t, res.Body.Close())
	}
	require.Error(t, err)
	http.DefaultClient.CloseIdleConnections()
	require.Contains(t, b.log.String(), "answer broke off")
}

func TestAResultIsPassedOnWhole(t *testing.T) {
	t.Parallel()
	b := start(t)
	output := strings.Repeat("x", 4<<20)
	a := b.Post(t, batches+"/"+bid+"/results", `{"host_id":"h","results":[{"call_id":"c1","status":"success","output":"`+output+`"},`+
		`{"position":1,"status":"error","output":"","error":{"message":"exit 2"}}]}`)
	require.Equal(t, 200, a.Status, "%.200s", a.Body)
	got := b.service.report
	require.Equal(t, "h", *got.HostID)
	require.Equal(t, output, got.Results[0].Output)
	require.Equal(t, "c1", *got.Results[0].CallID)
	require.Equal(t, 1, *got.Results[1].Position)
	require.Equal(t, "exit 2", *got.Results[1].Error)
}

func TestListsAreNeverNull(t *testing.T) {
	t.Parallel()
	a := start(t).Get(t, "/v1/sessions/"+sid+"/grants")
	require.JSONEq(t, `{"data":[],"next_cursor":null}`, string(a.Body))
}

func TestAnIntegerWrittenAsAFloatIsAClearProblem(t *testing.T) {
	t.Parallel()
	a := start(t).Post(t, "/v1/sessions", `{"loop":{"identical_calls":1e1}}`)
	require.Equal(t, []string{"/loop/identical_calls"}, a.Problem(t).Fields())
}
