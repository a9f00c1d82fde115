package api

import (
	"context"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// VisitGetTranscriptResponse writes the transcript.
func (v streamed) VisitGetTranscriptResponse(w http.ResponseWriter) error { return v(w) }

// GetTranscript serves GET /v1/sessions/{sid}/transcript.
func (s *server) GetTranscript(ctx context.Context, req contract.GetTranscriptRequestObject) (contract.GetTranscriptResponseObject, error) {
	return streamed(func(w http.ResponseWriter) error {
		t := ndjson{w: w}
		err := s.service.Transcript(ctx, callerOf(ctx), req.Sid, func(l sessions.TranscriptLine) error { return t.line(l) })
		if err != nil {
			return err // cut off where lines were sent: the reader must see that it is not whole
		}
		t.begin() // a session without batches has an empty transcript
		return nil
	}), nil
}
