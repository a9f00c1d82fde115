package providers

// wire is what differs between the providers: how a message is read, how the
// follow-up is written, how tools are declared.
type wire struct {
	list      string            // the message's member that holds the calls
	finishKey string            // the message's member that may hold a finish reason
	finishes  map[string]finish // reasons that are not a normal finish
	read      readElement

	followUp func(answers) any // what Render writes, without the shared part
	needsIDs bool              // refuses calls without an id, so assigned ones must be told

	names   namePattern
	declare func([]declaration) any
}

// wires has every provider; Native has no messages and stands apart.
var wires = map[Format]wire{
	Anthropic: {
		list: "content", finishKey: "stop_reason", finishes: map[string]finish{
			"max_tokens":                    finishCut,
			"model_context_window_exceeded": finishCut,
		},
		read:     readAnthropic,
		followUp: renderAnthropic, needsIDs: true,
		names:   namePattern{extra: "_-", limit: 128},
		declare: declareAnthropic,
	},
	OpenAIChat: {
		list: "tool_calls", finishKey: "finish_reason", finishes: map[string]finish{"length": finishCut},
		read:     readChat,
		followUp: renderChat, needsIDs: true,
		names:   namePattern{extra: "_-", limit: 64},
		declare: declareChat,
	},
	OpenAIResponses: {
		list: "output", finishKey: "status", finishes: map[string]finish{"incomplete": finishCut},
		read:     readResponses,
		followUp: renderResponses, needsIDs: true,
		names:   namePattern{extra: "_-", limit: 64},
		declare: declareResponses,
	},
	Gemini: {
		list: "parts", finishKey: "finishReason", finishes: map[string]finish{
			"MAX_TOKENS":              finishCut,
			"MALFORMED_FUNCTION_CALL": finishMalformed,
		},
		read:     readGemini,
		followUp: renderGemini,
		names:    namePattern{extra: "_-.", limit: 64, letterFirst: true},
		declare:  declareGemini,
	},
}
