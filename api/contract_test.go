package api_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/scheduler"
)

func TestOpenAPIIsAValidDocumentWithValidExamples(t *testing.T) {
	t.Parallel()
	doc := apitest.LoadContract(t).Doc
	require.NoError(t, doc.Validate(t.Context()))
	checked := 0
	for _, op := range apitest.LoadContract(t).Operations() {
		if op.RequestBody != nil {
			checked += checkExamples(t, op.OperationID+" request", op.RequestBody.Value.Content)
		}
		for status, response := range op.Responses.Map() {
			checked += checkExamples(t, op.OperationID+" "+status, response.Value.Content)
		}
	}
	require.Greater(t, checked, 30)
}

func checkExamples(t *testing.T, where string, content openapi3.Content) int {
	t.Helper()
	checked := 0
	for _, media := range content {
		for name, example := range media.Examples {
			text, err := json.Marshal(example.Value.Value)
			require.NoError(t, err)
			var value any
			require.NoError(t, json.Unmarshal(text, &value))
			assert.NoError(t, media.Schema.Value.VisitJSON(value, openapi3.MultiErrors()), "%s: example %s", where, name)
			checked++
		}
	}
	return checked
}

func TestExampleRequestsAreTaken(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, op := range apitest.LoadContract(t).Operations() {
		if op.RequestBody == nil {
			continue
		}
		for name, example := range op.RequestBody.Value.Content["application/json"].Examples {
			a := b.Do(t, apitest.Call{Method: op.Method, Path: fill(op.Path), Body: example.Value.Value})
			assert.Less(t, a.Status, 300, "%s %s: %s", op.OperationID, name, a.Body)
		}
	}
}

func fill(path string) string {
	return strings.NewReplacer("{sid}", sid, "{bid}", bid, "{aid}", aid, "{tid}", tid, "{host_id}", hostID, "{ref}", "out_1", "{tenant}", "dev", "{kid}", keyID).Replace(path)
}

func TestOpenAPIAndRoutesHaveTheSameOperations(t *testing.T) {
	t.Parallel()
	handler, err := api.New(configOf(newBench()))
	require.NoError(t, err)
	var routed, specified []string
	require.NoError(t, chi.Walk(handler, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routed = append(routed, method+" "+route)
		return nil
	}))
	ids := map[string]bool{}
	for _, op := range apitest.LoadContract(t).Operations() {
		specified = append(specified, op.Method+" "+op.Path)
		assert.False(t, ids[op.OperationID], "%s is there twice", op.OperationID)
		ids[op.OperationID] = true
	}
	require.ElementsMatch(t, specified, routed)
}

// TestEveryOperationAnswersAsTheContractSays calls each operation with a good
// request; the client validates the answers.
func TestEveryOperationAnswersAsTheContractSays(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, op := range apitest.LoadContract(t).Operations() {
		t.Run(op.OperationID, func(t *testing.T) {
			a := b.Do(t, apitest.Call{Method: op.Method, Path: apitest.GoodPath(op.OperationID, fill(op.Path)), Body: apitest.GoodBody(op.OperationID)})
			require.Less(t, a.Status, 300, "%s", a.Body)
		})
	}
}

func TestEveryCodeIsInTheContractAndInTheTable(t *testing.T) {
	t.Parallel()
	var table, listed []string
	for _, k := range api.ProblemKinds() {
		table = append(table, string(k.Code))
	}
	for _, v := range apitest.LoadContract(t).Doc.Components.Schemas["Code"].Value.Enum {
		listed = append(listed, v.(string))
	}
	require.ElementsMatch(t, listed, table)
	for _, op := range apitest.LoadContract(t).Operations() {
		for _, code := range apitest.Words(op.Extensions["x-problems"]) {
			assert.Contains(t, table, code, op.OperationID)
		}
	}
}

func TestReasonsOfTheContractAreThoseOfTheScheduler(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../scheduler/reasons.go")
	require.NoError(t, err)
	var coded, listed []string
	for _, m := range regexp.MustCompile(`Reason\s+= "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		coded = append(coded, m[1])
	}
	for _, v := range apitest.LoadContract(t).Doc.Components.Schemas["Reason"].Value.Enum {
		if s, ok := v.(string); ok {
			listed = append(listed, s)
		}
	}
	require.ElementsMatch(t, coded, listed)
	require.Contains(t, coded, string(scheduler.ReasonHostLost))
}

// TestEveryEventTypeHasASchema holds the contract's two lists of types together.
func TestEveryEventTypeHasASchema(t *testing.T) {
	t.Parallel()
	c := apitest.LoadContract(t)
	for operation, schema := range map[string]string{"streamEvents": "Event", "streamTenantEvents": "TenantEvent"} {
		data, ok := c.Operation(operation).Extensions["x-event-data"].(map[string]any)
		require.True(t, ok)
		types := c.Doc.Components.Schemas[schema].Value.Properties["type"].Value.Enum
		require.Len(t, data, len(types))
		for _, typ := range types {
			name, _ := data[typ.(string)].(string)
			require.Contains(t, c.Doc.Components.Schemas, name, "%v", typ)
		}
	}
}

func TestEventsAreHeldToTheirSchema(t *testing.T) {
	t.Parallel()
	c := apitest.LoadContract(t)
	const mode = `{"seq":1,"type":"mode.changed","session_id":"s","time":"2026-01-02T03:04:05.000Z","data":{"from":"default","to":"plan","by":"alice","mode_revision":1}}`
	require.NoError(t, c.CheckEvent([]byte(mode)))
	for _, wrong := range []string{
		strings.Replace(mode, `"plan"`, `"planning"`, 1), strings.Replace(mode, `"seq":1,`, "", 1),
		strings.Replace(mode, "mode.changed", "mode.change", 1), strings.Replace(mode, `"by"`, `"who"`, 1),
	} {
		require.Error(t, c.CheckEvent([]byte(wrong)), wrong)
	}
}

// TestRequestSchemasAreClosedAndBounded walks every schema that a request body
// reaches: what can grow has a limit, and unknown members are refused.
func TestRequestSchemasAreClosedAndBounded(t *testing.T) {
	t.Parallel()
	for _, op := range apitest.LoadContract(t).Operations() {
		if op.RequestBody != nil {
			bounded(t, op.OperationID, op.RequestBody.Value.Content["application/json"].Schema.Value)
		}
	}
}

// judgedElsewhere are the parts that the contract leaves to the use cases,
// which bound them in bytes and depth.
var judgedElsewhere = []string{"message", "arguments", "input_schema", "schema", "input", "messages", "capabilities", "runtime_view"}

func bounded(t *testing.T, at string, s *openapi3.Schema) {
	t.Helper()
	if slices.Contains(judgedElsewhere, at[strings.LastIndex(at, ".")+1:]) {
		return
	}
	switch {
	case s.Type.Is("object"):
		closed := s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has
		assert.True(t, closed || s.MaxProps != nil, "%s takes any number of members", at)
	case s.Type.Is("array"):
		assert.NotNil(t, s.MaxItems, "%s takes any number of elements", at)
		bounded(t, at, s.Items.Value)
	case s.Type.Is("string"):
		assert.True(t, s.MaxLength != nil || s.Enum != nil || strings.Contains(s.Pattern, "{"), "%s takes text of any length", at)
	case s.Type.Is("integer"):
		assert.True(t, s.Min != nil && s.Max != nil, "%s takes any number", at)
	}
	for name, property := range s.Properties {
		bounded(t, at+"."+name, property.Value)
	}
}
