package main

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/session-gateway/gateway/providers"
)

// dialect is how a provider's message holds its calls.
type dialect struct {
	list   string // the member that they stand in
	isCall func(object) bool
	call   func(id, name string, arguments object) object
	setID  func(call object, id string)
}

var dialects = map[providers.Format]dialect{
	providers.Anthropic: {
		list:   "content",
		isCall: func(block object) bool { return block["type"] == "tool_use" },
		call: func(id, name string, arguments object) object {
			return object{"type": "tool_use", "id": "toolu_" + id, "name": name, "input": arguments}
		},
		setID: func(call object, id string) { call["id"] = "toolu_" + id },
	},
	providers.OpenAIChat: {
		list:   "tool_calls",
		isCall: func(object) bool { return true },
		call: func(id, name string, arguments object) object {
			return object{"id": "call_" + id, "type": "function", "function": object{"name": name, "arguments": textOf(arguments)}}
		},
		setID: func(call object, id string) { call["id"] = "call_" + id },
	},
	providers.OpenAIResponses: {
		list: "output",
		isCall: func(item object) bool {
			return item["type"] == "function_call" || item["type"] == "custom_tool_call"
		},
		call: func(id, name string, arguments object) object {
			return object{
				"type": "function_call", "id": "fc_" + id, "call_id": "call_" + id, "name": name,
				"arguments": textOf(arguments), "status": "completed",
			}
		},
		setID: func(call object, id string) { call["call_id"] = "call_" + id },
	},
	providers.Gemini: {
		list:   "parts",
		isCall: func(part object) bool { return part["functionCall"] != nil },
		call: func(_, name string, arguments object) object {
			return object{"functionCall": object{"name": name, "args": arguments}}
		},
		setID: func(call object, id string) { call["functionCall"].(object)["id"] = id },
	},
}

// textOf is arguments as a text; none are the empty one.
func textOf(arguments object) string {
	if arguments == nil {
		return ""
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// copied is a body of its own.
func copied(body object) object {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// callsIn are the places of the calls in a message's list.
func callsIn(body object, f providers.Format) (list []any, places []int) {
	d := dialects[f]
	list = body["message"].(object)[d.list].([]any)
	for i, element := range list {
		if d.isCall(element.(object)) {
			places = append(places, i)
		}
	}
	return list, places
}

// withCall is the body with one more call, before all others, behind the
// first or behind the last. It answers the new call's position among the calls.
func withCall(body object, f providers.Format, place, name string, arguments object) (object, int) {
	body = copied(body)
	list, places := callsIn(body, f)
	at, position := len(list), len(places)
	switch {
	case len(places) == 0:
	case place == "first":
		at, position = places[0], 0
	case place == "between":
		at, position = places[0]+1, 1
	default:
		at = places[len(places)-1] + 1
	}
	if arguments == nil && f != providers.OpenAIChat && f != providers.OpenAIResponses {
		arguments = object{}
	}
	call := dialects[f].call(name+"_9c1", name, arguments)
	body["message"].(object)[dialects[f].list] = slices.Insert(list, at, any(call))
	return finished(body), position
}

// finished is the body with a finish reason of a response that is whole, so
// that absent arguments count as none.
func finished(body object) object {
	if body["finish_reason"] == "length" {
		body["finish_reason"] = "tool_calls"
	}
	return body
}

// without is the body with no calls.
func without(body object, f providers.Format) object {
	body = copied(body)
	list, places := callsIn(body, f)
	kept := []any{}
	for i, element := range list {
		if !slices.Contains(places, i) {
			kept = append(kept, element)
		}
	}
	body["message"].(object)[dialects[f].list] = kept
	return body
}

// renewed is the body as another response: calls have other ids.
func renewed(body object, f providers.Format) object {
	body = copied(body)
	list, places := callsIn(body, f)
	for n, i := range places {
		dialects[f].setID(list[i].(object), string(rune('a'+n))+"_renewed")
	}
	message := maps.Clone(body["message"].(object))
	if _, ok := message["id"]; ok {
		message["id"] = "another_response"
	}
	body["message"] = message
	delete(body, "response_id")
	return body
}
