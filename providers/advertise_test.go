package providers

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestToolsAreAdvertisedAsEachProviderWantsThem(t *testing.T) {
	t.Parallel()
	tools := []ToolSpec{
		{Name: "fs.read", Description: "Reads <a> file.", InputSchema: json.RawMessage(`{ "type": "object", "required": ["p"], "properties": {"p": {}} }`)},
		{Name: "now"},
	}
	const schema = `{"type":"object","required":["p"],"properties":{"p":{}}}`
	const anything = `{"type":"object","properties":{}}`
	for f, want := range map[Format]string{
		Native:          `[{"name":"fs.read","description":"Reads <a> file.","input_schema":` + schema + `},{"name":"now","description":"","input_schema":` + anything + `}]`,
		Anthropic:       `[{"name":"fs_read","description":"Reads <a> file.","input_schema":` + schema + `},{"name":"now","description":"","input_schema":` + anything + `}]`,
		OpenAIChat:      `[{"type":"function","function":{"name":"fs_read","description":"Reads <a> file.","parameters":` + schema + `}},{"type":"function","function":{"name":"now","description":"","parameters":` + anything + `}}]`,
		OpenAIResponses: `[{"type":"function","name":"fs_read","description":"Reads <a> file.","parameters":` + schema + `},{"type":"function","name":"now","description":"","parameters":` + anything + `}]`,
		Gemini:          `[{"functionDeclarations":[{"name":"fs.read","description":"Reads <a> file.","parameters":` + schema + `},{"name":"now","description":""}]}]`,
	} {
		got, err := Advertise(f, tools)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "in %s", f)
	}
}

func TestASessionWithoutToolsAdvertisesAnEmptyList(t *testing.T) {
	t.Parallel()
	for _, f := range Formats {
		got, err := Advertise(f, nil)
		require.NoError(t, err)
		require.Equal(t, `[]`, string(got), "in %s", f)
	}
}

func TestASchemaSaysThatItTakesAnObject(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, want string }{
		"absent":             {``, `{"type":"object","properties":{}}`},
		"null":               {` null `, `{"type":"object","properties":{}}`},
		"empty":              {`{ }`, `{"type":"object","properties":{}}`},
		"without a type":     {`{"required":["a"]}`, `{"type":"object","required":["a"]}`},
		"with one":           {`{"required":["a"],"type":"object"}`, `{"required":["a"],"type":"object"}`},
		"numbers stay exact": {`{"type":"object","maximum":12345678901234567890.10}`, `{"type":"object","maximum":12345678901234567890.10}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Advertise(Anthropic, []ToolSpec{{Name: "t", InputSchema: json.RawMessage(c.schema)}})
			require.NoError(t, err)
			require.Equal(t, `[{"name":"t","description":"","input_schema":`+c.want+`}]`, string(got))
		})
	}
}

func TestWhatCannotBeAdvertisedIsRefused(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{`[]`, `true`, `"object"`, `{"a"`} {
		_, err := Advertise(Anthropic, []ToolSpec{{Name: "t", InputSchema: json.RawMessage(schema)}})
		require.ErrorIs(t, err, ErrSchema, schema)
		require.ErrorContains(t, err, `"t"`)
	}
	var clash *NameClashError
	_, err := Advertise(OpenAIResponses, []ToolSpec{{Name: "a.b"}, {Name: "a:b"}})
	require.ErrorAs(t, err, &clash)
}
