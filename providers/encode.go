package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// encode writes JSON that stays as the model will read it: encoding/json's
// default turns <, > and & into escapes, which costs tokens and changes bytes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode json: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
