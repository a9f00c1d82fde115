package providers

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
