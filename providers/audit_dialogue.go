package providers

// dialogue is how a format's conversation reads: where the list stands in a
// request, which entries are the model's, and what calls one of them asks.
type dialogue struct {
	list      string
	byModel   func(entry any) bool
	asked     func(entry any) []Asked
	parts     string // where an entry's texts stand
	oneAnswer bool   // all results stand in the first entry after the model's
}

var dialogues = map[Format]dialogue{
	Native:          {list: "results", byModel: never, asked: askedNothing},
	Anthropic:       {list: "messages", byModel: roleIs("assistant"), asked: askedAmong("content", askedAnthropic), parts: "content", oneAnswer: true},
	OpenAIChat:      {list: "messages", byModel: roleIs("assistant"), asked: askedAmong("tool_calls", askedChat), parts: "content"},
	OpenAIResponses: {list: "input", byModel: modelsItem, asked: askedItem, parts: "content"},
	Gemini:          {list: "contents", byModel: roleIs("model"), asked: askedAmong("parts", askedGemini), parts: "parts", oneAnswer: true},
}

func textsIn(content any) []string {
	if text, ok := content.(string); ok {
		return []string{text}
	}
	list, _ := content.([]any)
	var all []string
	for _, part := range list {
		if text := stringOf(part, "text"); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func never(any) bool { return false }

func askedNothing(any) []Asked { return nil }

func roleIs(role string) func(any) bool {
	return func(entry any) bool { return stringOf(entry, "role") == role }
}

func askedAmong(list string, read func(any) (Asked, bool)) func(any) []Asked {
	return func(entry any) []Asked {
		var all []Asked
		for _, element := range listOf(entry, list) {
			if a, ok := read(element); ok {
				all = append(all, a)
			}
		}
		return all
	}
}

// modelsItem tells the model's items from what it is told.
func modelsItem(item any) bool {
	switch stringOf(item, "type") {
	case "function_call_output", "custom_tool_call_output":
		return false
	case "message", "":
		return stringOf(item, "role") == "assistant"
	default:
		return true
	}
}

func askedItem(item any) []Asked {
	if a, ok := askedResponses(item); ok {
		return []Asked{a}
	}
	return nil
}
