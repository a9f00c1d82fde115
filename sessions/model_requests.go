package sessions

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

const eventModelRequestChecked = "model_request.checked"

// The verdicts of a check.
const (
	verdictConforming = "conforming"
	verdictViolations = "violations"
)

// ModelRequest is the body of POST …/model-requests: what a host is about to
// send to its model.
type ModelRequest struct {
	Format   string
	BatchID  string
	Messages json.RawMessage // the list that the format's provider takes
}

// ModelRequestCheck is what the ledger says to it. It holds no text of either.
type ModelRequestCheck struct {
	BatchID    string                `json:"batch_id"`
	Format     string                `json:"format"`
	Verdict    string                `json:"verdict"` // conforming | violations
	Violations []providers.Violation `json:"violations"`
}

// CheckModelRequest compares what a host is about to send to its model with the
// ledger, and tells the session's readers what came of it.
func (s *Service) CheckModelRequest(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, in ModelRequest) (Reply[ModelRequestCheck], error) {
	var verdict ModelRequestCheck
	cmd := command[ModelRequestCheck]{
		caller: c, idem: idem, status: httpOK,
		answer: func(*change) ModelRequestCheck { return verdict },
	}
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[ModelRequestCheck]{}, err
	}
	number, ok := batchNumber(sid, in.BatchID)
	if !ok {
		return Reply[ModelRequestCheck]{}, errNotFound("batch")
	}
	cmd.topic = t
	cmd.decide = func(ch *change) error {
		at, err := s.find(ctx, ch.doc, number)
		if err != nil {
			return err
		}
		if verdict, err = at.check(in); err != nil {
			return err
		}
		ch.notes = append(ch.notes, stream.Draft{
			Type: eventModelRequestChecked, BatchID: in.BatchID, Data: []byte(encode(verdict)),
		})
		return nil
	}
	return run(ctx, s, cmd)
}

func (a batchAt) check(in ModelRequest) (ModelRequestCheck, error) {
	up, err := a.followUp()
	if err != nil {
		return ModelRequestCheck{}, err
	}
	found, err := providers.Audit(providers.Format(in.Format), up.Answers(), in.Messages)
	if err != nil {
		return ModelRequestCheck{}, fmt.Errorf("check model request: %w", err)
	}
	v := ModelRequestCheck{
		BatchID: a.batch.ID, Format: in.Format, Verdict: verdictConforming, Violations: []providers.Violation{},
	}
	if len(found) > 0 {
		v.Verdict, v.Violations = verdictViolations, found
	}
	return v, nil
}
