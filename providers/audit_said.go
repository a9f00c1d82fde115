package providers

import (
	"encoding/json"
	"strings"
)

// saidIn is a result's content in the one form that audits compare: text, given
// as it is or as a list of texts, is that text. Anything else is its JSON, which
// no text equals.
func saidIn(content any) string {
	if text, ok := content.(string); ok {
		return "text " + text
	}
	list, ok := content.([]any)
	if !ok && content != nil {
		return asJSON(content)
	}
	var all strings.Builder
	for _, part := range list {
		text, isText := member(part, "text").(string)
		if !isText {
			return asJSON(content)
		}
		all.WriteString(text)
	}
	return "text " + all.String()
}

// asJSON is the JSON of a decoded value, members sorted.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil { // decoded JSON can always be encoded again
		return "json"
	}
	return "json " + string(text)
}
