package providers

import "slices"

// Format names a wire format.
type Format string

// The formats. Native is the gateway's own.
const (
	Native          Format = "native"
	Anthropic       Format = "anthropic"        // Messages
	OpenAIChat      Format = "openai_chat"      // Chat Completions and servers compatible with it
	OpenAIResponses Format = "openai_responses" // Responses
	Gemini          Format = "gemini"           // generateContent
)

// Formats lists every format, in the order in which they are shown.
var Formats = []Format{Native, Anthropic, OpenAIChat, OpenAIResponses, Gemini}

// ParseFormat reads a format's name; false means that there is no such format.
func ParseFormat(s string) (Format, bool) {
	f := Format(s)
	return f, slices.Contains(Formats, f)
}
