package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// lineTimeout is how long a reader of a transcript may take for one line; it
// frees what a reader that stopped would hold for ever.
const lineTimeout = 30 * time.Second

// streamed is an answer that is written while it is made.
type streamed func(w http.ResponseWriter) error

// VisitStreamEventsResponse writes the stream.
func (v streamed) VisitStreamEventsResponse(w http.ResponseWriter) error { return v(w) }

// VisitGetTranscriptResponse writes the transcript.
func (v streamed) VisitGetTranscriptResponse(w http.ResponseWriter) error { return v(w) }

// StreamEvents serves GET /v1/sessions/{sid}/events.
func (s *server) StreamEvents(ctx context.Context, req contract.StreamEventsRequestObject) (contract.StreamEventsResponseObject, error) {
	cursor, err := stream.ParseCursor(valueOr(req.Params.LastEventID, valueOr(req.Params.After, "")))
	if err != nil {
		return nil, err
	}
	filter, err := stream.ParseFilter(valueOr(req.Params.Types, ""))
	if err != nil {
		return nil, invalidQuery([]sessions.Field{{Path: "types", Detail: "must be prefixes of event types"}})
	}
	topic, err := s.service.Topic(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter) error {
		err := s.hub.Serve(ctx, w, stream.Request{Topic: topic, Cursor: cursor, Filter: filter})
		if !errors.Is(err, stream.ErrStarted) {
			return err
		}
		s.log.LogAttrs(ctx, slog.LevelDebug, "stream cut off",
			slog.String("request_id", requestOf(ctx).id), slog.Any("error", err))
		return nil // the reader has its cursor and comes back
	}), nil
}

// GetOutput serves GET /v1/sessions/{sid}/outputs/{ref}.
func (s *server) GetOutput(ctx context.Context, req contract.GetOutputRequestObject) (contract.GetOutputResponseObject, error) {
	page, err := s.service.Output(ctx, callerOf(ctx), req.Sid, req.Ref,
		valueOr(req.Params.Offset, 0), valueOr(req.Params.Limit, 0))
	if err != nil {
		return nil, err
	}
	return contract.GetOutput200JSONResponse{Body: page}, nil
}

// GetTranscript serves GET /v1/sessions/{sid}/transcript.
func (s *server) GetTranscript(ctx context.Context, req contract.GetTranscriptRequestObject) (contract.GetTranscriptResponseObject, error) {
	return streamed(func(w http.ResponseWriter) error {
		t := transcript{w: w}
		err := s.service.Transcript(ctx, callerOf(ctx), req.Sid, t.line)
		if err == nil {
			return t.begin() // a session without batches has an empty transcript
		}
		if !t.begun {
			return err
		}
		s.log.LogAttrs(ctx, slog.LevelError, "transcript broke off",
			slog.String("request_id", requestOf(ctx).id), slog.Any("error", err))
		panic(http.ErrAbortHandler) // the reader must see that it is not whole
	}), nil
}

// transcript writes NDJSON; until the first line is there an error can still be
// answered as a problem.
type transcript struct {
	w     http.ResponseWriter
	begun bool
}

func (t *transcript) begin() error {
	if t.begun {
		return nil
	}
	t.begun = true
	t.w.Header().Set("Content-Type", "application/x-ndjson")
	t.w.WriteHeader(http.StatusOK)
	return nil
}

func (t *transcript) line(l sessions.TranscriptLine) error {
	body, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode transcript line: %w", err)
	}
	if err := t.begin(); err != nil {
		return err
	}
	control := http.NewResponseController(t.w)
	if err := control.SetWriteDeadline(time.Now().Add(lineTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("set write deadline: %w", err)
	}
	_, err = bytes.NewBuffer(append(body, '\n')).WriteTo(t.w)
	return err
}
