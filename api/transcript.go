package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// lineTimeout is how long a reader of a transcript may take for one line; it
// frees what a reader that stopped would hold for ever.
const lineTimeout = 30 * time.Second

// VisitGetTranscriptResponse writes the transcript.
func (v streamed) VisitGetTranscriptResponse(w http.ResponseWriter) error { return v(w) }

// GetTranscript serves GET /v1/sessions/{sid}/transcript.
func (s *server) GetTranscript(ctx context.Context, req contract.GetTranscriptRequestObject) (contract.GetTranscriptResponseObject, error) {
	return streamed(func(w http.ResponseWriter) error {
		t := transcript{w: w}
		if err := s.service.Transcript(ctx, callerOf(ctx), req.Sid, t.line); err != nil {
			return err // cut off where lines were sent: the reader must see that it is not whole
		}
		t.begin() // a session without batches has an empty transcript
		return nil
	}), nil
}

// transcript writes NDJSON; until the first line is there an error can still be
// answered as a problem.
type transcript struct {
	w     http.ResponseWriter
	begun bool
}

func (t *transcript) begin() {
	if t.begun {
		return
	}
	t.begun = true
	t.w.Header().Set("Content-Type", "application/x-ndjson")
	t.w.WriteHeader(http.StatusOK)
}

func (t *transcript) line(l sessions.TranscriptLine) error {
	body, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode transcript line: %w", err)
	}
	t.begin()
	if err := setWriteDeadline(t.w, time.Now().Add(lineTimeout)); err != nil {
		return err
	}
	if _, err := t.w.Write(append(body, '\n')); err != nil {
		return fmt.Errorf("write transcript line: %w", err)
	}
	return nil
}
