package providers

import "encoding/json"

// readGemini reads a part. Google's own clients write the keys of its protocol
// in either case and absent members as null, so both are read.
func readGemini(part node) (draft, bool, error) {
	m, err := part.fields("functionCall", "function_call")
	if err != nil {
		return draft{}, false, err
	}
	call := m["functionCall"]
	if !call.given() {
		call = m["function_call"]
	}
	if !call.given() {
		return draft{}, false, nil
	}
	c, err := call.fields("id", "name", "args")
	if err != nil {
		return draft{}, false, err
	}
	return draft{id: c["id"], name: c["name"], args: objectArguments(c["args"].optional())}, true, nil
}

type geminiFollowUp struct {
	Format   Format          `json:"format"`
	Contents []geminiContent `json:"contents"`
	told
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	FunctionResponse *geminiResponse `json:"functionResponse,omitempty"`
	Text             string          `json:"text,omitempty"`
}

type geminiResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// renderGemini writes one user content with the responses first. The provider
// matches them by order and count.
func renderGemini(a answers) any {
	var parts []geminiPart
	for _, c := range a.calls {
		parts = append(parts, geminiPart{FunctionResponse: c.geminiResponse()})
	}
	for _, notice := range a.spoken() {
		parts = append(parts, geminiPart{Text: notice})
	}
	return geminiFollowUp{
		Format: Gemini, Contents: []geminiContent{{Role: "user", Parts: parts}}, told: a.told,
	}
}

// geminiResponse leaves out an id that the gateway made: the provider never
// saw it and refuses what it doesn't know.
func (c RenderCall) geminiResponse() *geminiResponse {
	r := &geminiResponse{ID: c.ID, Name: c.Name, Response: map[string]string{"output": c.text()}}
	if c.IDAssigned {
		r.ID = ""
	}
	if !c.Success {
		r.Response = map[string]string{"error": c.text()}
	}
	return r
}

type geminiTool struct {
	FunctionDeclarations []geminiFunction `json:"functionDeclarations"`
}

type geminiFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// declareGemini writes all functions as one tool. The provider refuses an
// object schema without properties, so a tool that declared none has no
// parameters.
func declareGemini(tools []declaration) any {
	var functions []geminiFunction
	for _, t := range tools {
		functions = append(functions, geminiFunction{t.name, t.description, t.schema})
	}
	if len(functions) == 0 {
		return []geminiTool{}
	}
	return []geminiTool{{FunctionDeclarations: functions}}
}
