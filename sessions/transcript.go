package sessions

import (
	"context"
	"encoding/json"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// Transcript yields the session's terminal batches, oldest first.
func (s *Service) Transcript(ctx context.Context, c tenants.Caller, sid string, yield func(TranscriptLine) error) error {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return err
	}
	for n := d.oldestBatch(); n <= d.batches; n++ {
		at, err := s.find(ctx, d, n)
		if err != nil {
			return err
		}
		if at.batch.Status == scheduler.BatchRunning {
			return nil
		}
		if err := yield(at.transcriptLine()); err != nil {
			return err
		}
	}
	return nil
}

// oldestBatch is the number of the oldest batch that is kept.
func (d *document) oldestBatch() uint64 {
	if d.batches <= MaxBatches {
		return 1
	}
	return d.batches - MaxBatches + 1
}

func (a batchAt) transcriptLine() TranscriptLine {
	b := a.batch
	line := TranscriptLine{
		BatchID: b.ID, TurnID: optional(b.TurnID), Format: b.Format, Message: scheduler.RawJSON(a.message),
		Results: make([]scheduler.Result, len(b.Calls)), Notices: listOrEmpty(b.Notices),
	}
	for i := range b.Calls {
		line.Results[i] = *b.Calls[i].Result
	}
	if a.message == nil {
		line.Message = nativeMessage(b)
	}
	return line
}

// nativeMessage is what a native batch was sent as.
func nativeMessage(b *scheduler.Batch) scheduler.RawJSON {
	type call struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	calls := make([]call, len(b.Calls))
	for i := range b.Calls {
		c := &b.Calls[i]
		calls[i] = call{ID: c.ID, Name: c.Name, Arguments: json.RawMessage(argumentsJSON(c.Arguments))}
	}
	return scheduler.RawJSON(encode(map[string]any{"calls": calls}))
}
