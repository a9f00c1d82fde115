package providers

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

func FuzzAnthropic(f *testing.F)       { fuzzParser(f, Anthropic) }
func FuzzOpenAIChat(f *testing.F)      { fuzzParser(f, OpenAIChat) }
func FuzzOpenAIResponses(f *testing.F) { fuzzParser(f, OpenAIResponses) }
func FuzzGemini(f *testing.F)          { fuzzParser(f, Gemini) }

// fuzzParser holds one promise up to any input: it is refused with one of the
// documented errors, or every call in it can be answered in every format.
func fuzzParser(f *testing.F, format Format) {
	f.Helper()
	for _, seed := range seeds(f, format) {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), cut[format])
	}
	f.Fuzz(func(t *testing.T, message []byte, reason string) {
		parsed, err := Parse(format, Envelope{Message: message, FinishReason: &reason}, countedIDs())
		var invalid *InvalidError
		if errors.As(err, &invalid) || errors.Is(err, ErrNoToolCalls) {
			return
		}
		require.NoError(t, err)
		require.NotEmpty(t, parsed.Calls)
		u := answered(format, parsed.Calls)
		for _, to := range Formats {
			requireAnswered(t, to, u, exchange(format, to, parsed.Calls))
		}
		if len(parsed.Calls) < readLimit {
			own, err := Render(format, u)
			require.NoError(t, err)
			require.Empty(t, Conforms(format, json.RawMessage(message), own))
		}
	})
}

// seeds are the format's transcripts and its odd arguments.
func seeds(f *testing.F, format Format) []string {
	f.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(f, err)
	var messages []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		if s := (transcript{path, archive}); s.section("format") == string(format) {
			messages = append(messages, s.section("message"))
		}
	}
	for _, arguments := range []string{``, `null`, `""`, `"{\"a\":\"\ud83d"`, `[1]`, `{"a":{"a":1,"a":2}}`} {
		messages = append(messages, call[format](arguments))
	}
	return append(messages, `{}`, `[]`, `{"`+wires[format].list+`":[null]}`)
}
