package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// streamed is an answer that is written while it is made.
type streamed func(w http.ResponseWriter) error

// lineTimeout is how long a reader of NDJSON may take for one line; it frees
// what a reader that stopped would hold for ever.
const lineTimeout = 30 * time.Second

// ndjson writes NDJSON; until the first line is there an error can still be
// answered as a problem.
type ndjson struct {
	w     http.ResponseWriter
	begun bool
}

func (t *ndjson) begin() {
	if t.begun {
		return
	}
	t.begun = true
	t.w.Header().Set("Content-Type", "application/x-ndjson")
	t.w.WriteHeader(http.StatusOK)
}

func (t *ndjson) line(l any) error {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false) // texts are kept as they came
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("encode line: %w", err)
	}
	t.begin()
	if err := setWriteDeadline(t.w, time.Now().Add(lineTimeout)); err != nil {
		return err
	}
	if _, err := t.w.Write(body.Bytes()); err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	return nil
}
