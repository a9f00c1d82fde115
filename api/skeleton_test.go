package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/sessions"
)

func TestOpaquePartsAreEmptiedAndKeepTheirType(t *testing.T) {
	t.Parallel()
	parts := opaque["submitBatch"]
	for in, want := range map[string]string{
		`{"calls":[{"name":"a","arguments":{"x":[1,{"y":2}]}}]}`: `{"calls":[{"name":"a","arguments":{}}]}`,
		`{"calls":[{"arguments":[1,2]},{"arguments":"\"}]"}]}`:   `{"calls":[{"arguments":[]},{"arguments":""}]}`,
		`{"calls":[{"arguments":12e3},{"arguments":null}]}`:      `{"calls":[{"arguments":12e3},{"arguments":null}]}`,
		` { "message" : { "a":1, "a":2 } , "format" : "x" } `:    `{"message":{},"format":"x"}`,
		`{"arguments":{"a":1},"calls":{"arguments":{"a":1}}}`:    `{"arguments":{"a":1},"calls":{"arguments":{"a":1}}}`,
		`{"m\u0065ssage":{"a":1}}`:                               `{"m\u0065ssage":{}}`,
	} {
		got, err := skeleton([]byte(in), parts)
		require.NoError(t, err, in)
		require.Equal(t, want, string(got))
	}
}

func TestDuplicateKeysAreFoundWhereTheyCount(t *testing.T) {
	t.Parallel()
	for in, field := range map[string]string{
		`{"a":1,"\u0061":2}`:                                                  "/a",
		`{"x":[{},{"b/c":1,"b/c":2}]}`:                                        "/x/1/b~1c",
		`{"calls":[{"name":"a","name":"b"}]}`:                                 "/calls/0/name",
		`{"calls":[{"arguments":{"a":1,"a":2}}],"calls":[]}`:                  "/calls",
		`{"` + strings.Repeat("k", 400) + `":{"a":1,"a":2}}`:                  "/" + strings.Repeat("k", 255),
		`{"tools":[{"input_schema":{"properties":{"a":{},"a":{"x":true}}}}]}`: "/tools/0/input_schema/properties/a",
	} {
		parts := opaque["submitBatch"]
		if strings.Contains(in, "tools") {
			parts = opaque["putTools"]
		}
		_, err := skeleton([]byte(in), parts)
		var p *sessions.Problem
		require.ErrorAs(t, err, &p, in)
		assert.Equal(t, field, p.Fields[0].Path)
	}
}

// FuzzSkeleton holds the scanner to the standard library's judgement: it takes
// exactly what is valid JSON of bounded depth without duplicate keys, and what
// it gives back means the same.
func FuzzSkeleton(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` [1, "a\"b\\", {"x": null}] `, `"\ud800"`, `-0.1e+9`, "{\"a\":\"\xff\"}", `[[[[`, `{"a":1,"a":2}`, `{"calls":[{"arguments":{"a":[]}}]}`, "\t{\r\n}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := skeleton(body, nil)
		if err != nil {
			var p *sessions.Problem
			require.ErrorAs(t, err, &p, "every refusal is a problem")
			return
		}
		var was, is any
		require.NoError(t, json.Unmarshal(body, &was))
		require.NoError(t, json.Unmarshal(got, &is))
		require.Equal(t, was, is)
		emptied, err := skeleton(body, opaque["submitBatch"])
		require.NoError(t, err)
		require.True(t, json.Valid(emptied))
	})
}
