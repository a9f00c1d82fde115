package providers

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// accepted is each provider's pattern, from its documents.
var accepted = map[Format]*regexp.Regexp{
	Anthropic:       regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`),
	OpenAIChat:      regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	OpenAIResponses: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	Gemini:          regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`),
}

func TestWireNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 17)
	for name, c := range map[string]struct {
		format     Format
		name, want string
	}{
		"a good name stays":                       {OpenAIChat, "mcp__docs-2__look_up", "mcp__docs-2__look_up"},
		"native takes any":                        {Native, "a b", "a b"},
		"each refused character is an underscore": {OpenAIChat, "fs:read/ü", "fs_read__"},
		"dots where they are refused":             {Anthropic, "fs.read", "fs_read"},
		"dots where they are not":                 {Gemini, "fs.read", "fs.read"},
		"gemini starts with a letter":             {Gemini, "3d_view", "_3d_view"},
		"others need not":                         {OpenAIResponses, "3d_view", "3d_view"},
		"long where it may be":                    {Anthropic, long, long},
		"long where it may not":                   {OpenAIChat, long, long[:55] + "_3a09aeea"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, WireName(c.format, c.name))
		})
	}
}

func TestAClashOfNamesNamesBothTools(t *testing.T) {
	t.Parallel()
	_, err := NewNames(OpenAIChat, []string{"x", "fs.read", "fs:read"})
	var clash *NameClashError
	require.ErrorAs(t, err, &clash)
	require.Equal(t, &NameClashError{Format: OpenAIChat, Wire: "fs_read", First: "fs.read", Second: "fs:read"}, clash)
	require.ErrorContains(t, err, `"fs.read" and "fs:read"`)
}

func TestNamesGoOutAndComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(Formats[1:]).Draw(t, "format")
		declared := rapid.SliceOfDistinct(rapid.StringN(1, 80, 200), rapid.ID).Draw(t, "names")
		names, err := NewNames(f, declared)
		if err != nil {
			t.Skip("a clash")
		}
		for _, name := range declared {
			wire := names.Wire(name)
			require.Regexp(t, accepted[f], wire)
			require.Equal(t, name, names.Canonical(wire))
			if accepted[f].MatchString(name) {
				require.Equal(t, name, wire)
			}
		}
	})
}

func TestAnUndeclaredNameStaysAsItCame(t *testing.T) {
	t.Parallel()
	names, err := NewNames(OpenAIChat, []string{"fs.read"})
	require.NoError(t, err)
	require.Equal(t, "fs.read", names.Canonical("fs_read"))
	require.Equal(t, "fs.read", names.Canonical("fs.read"))
	require.Equal(t, "nothing such", names.Canonical("nothing such"))
	require.Equal(t, "any", Names{}.Canonical("any"))
}
