package sessions

import (
	"context"
	"errors"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// recordPage bounds what is read of a session's log at a time, as for a stream.
const recordPage = 256 << 10

// Events yields the retained events of a session, oldest first, byte for byte
// as streams show them, up to the newest one when it begins: a session that
// goes on can't keep its reader for ever.
func (s *Service) Events(ctx context.Context, c tenants.Caller, sid string, yield func(stream.Event) error) error {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return err
	}
	for after := uint64(0); after < d.head.Seq; {
		page, err := s.store.Read(ctx, d.topic, after, recordPage)
		if err != nil {
			return storeProblem(err)
		}
		if len(page) == 0 {
			return nil // it went meanwhile
		}
		for _, e := range page {
			if e.Seq > d.head.Seq {
				return nil
			}
			if err := yield(e); err != nil {
				return err
			}
			after = e.Seq
		}
	}
	return nil
}

// Outputs yields the outputs that a session keeps, oldest first.
func (s *Service) Outputs(ctx context.Context, c tenants.Caller, sid string, yield func(StoredOutput) error) error {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return err
	}
	for _, kept := range d.outputs {
		text, err := s.store.Output(ctx, d.topic, kept.ref)
		if errors.Is(err, store.ErrNotFound) {
			continue // it made room meanwhile
		}
		if err != nil {
			return storeProblem(err)
		}
		if err := yield(StoredOutput{Ref: kept.ref, Text: string(text)}); err != nil {
			return err
		}
	}
	return nil
}

// StoredOutput is an output as it was before it was cut.
type StoredOutput struct {
	Ref  string `json:"ref"`
	Text string `json:"text"`
}
