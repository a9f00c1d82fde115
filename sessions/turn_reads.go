package sessions

import (
	"context"
	"errors"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// The sizes of a page of turns: each may bring an input of maxInputPreview.
const (
	defaultTurns = 20
	maxTurnsPage = 100
)

// Turn is one turn with all that was said in it.
func (s *Service) Turn(ctx context.Context, c tenants.Caller, sid, tid string) (Turn, error) {
	t, number, err := s.turnPlace(c, sid, tid)
	if err != nil {
		return Turn{}, err
	}
	d, err := s.visible(ctx, c, t)
	if err != nil {
		return Turn{}, err
	}
	return s.readTurn(ctx, d, number)
}

func (s *Service) readTurn(ctx context.Context, d *document, number uint64) (Turn, error) {
	fields, text, err := s.store.Turn(ctx, d.topic, number)
	if errors.Is(err, store.ErrNotFound) {
		return Turn{}, errNotFound("turn")
	}
	if err != nil {
		return Turn{}, storeProblem(err)
	}
	v, err := d.decodeTurn(number, fields)
	v.Text, v.TextBytes = &text, len(text)
	return v, err
}

// summary is a turn without what is as long as people and models like.
func (v Turn) summary() Turn {
	v.Input, v.Text, v.Notices, v.Reminder = nil, nil, nil, ""
	return v
}

// Turns is the session's turns, newest first, without what was said in them.
func (s *Service) Turns(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (Page[Turn], error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return Page[Turn]{}, err
	}
	list := numbered{name: "turns " + sid, oldest: d.oldestTurn(), newest: d.turns}
	numbers, next, err := list.descending(min(orDefault(limit, defaultTurns), maxTurnsPage), cursor)
	if err != nil {
		return Page[Turn]{}, err
	}
	found, err := s.store.Turns(ctx, d.topic, numbers)
	if err != nil {
		return Page[Turn]{}, storeProblem(err)
	}
	out := Page[Turn]{Data: make([]Turn, 0, len(found)), NextCursor: next}
	for i, fields := range found {
		v, err := d.decodeTurn(numbers[i], fields)
		if err != nil {
			return Page[Turn]{}, err
		}
		v.Input, v.InputPreview = shortInput(v.Input, maxInputPreview)
		out.Data = append(out.Data, v)
	}
	return out, nil
}

// oldestTurn is the number of the oldest turn that is kept.
func (d *document) oldestTurn() uint64 {
	if d.turns <= MaxTurns {
		return 1
	}
	return d.turns - MaxTurns + 1
}

func orDefault(n, fallback int) int {
	if n <= 0 {
		return fallback
	}
	return n
}
