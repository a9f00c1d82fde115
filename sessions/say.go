package sessions

import (
	"context"
	"strings"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// Say adds to what is said in the open turn. Texts of one turn that come in
// together are committed together; one with an idempotency key is committed
// alone, because the key's record belongs to one commit.
func (s *Service) Say(ctx context.Context, c tenants.Caller, idem Idempotency, sid, tid string, m Message) (Reply[Said], error) {
	t, number, err := s.turnPlace(c, sid, tid)
	if err != nil {
		return Reply[Said]{}, err
	}
	var wrong fields
	m.check(&wrong)
	if m.Text == "" || len(m.Text) > MaxDeltaBytes {
		wrong.add("/text", "is not a text of 1 to %d bytes", MaxDeltaBytes)
	}
	if p := wrong.problem(); p != nil {
		return Reply[Said]{}, p
	}
	turn := spokenTurn{topic: t, number: number, caller: c}
	if idem.Key != "" {
		return s.say(ctx, turn, idem, []*saying{{Message: m}})
	}
	said, err := s.gatherings.say(ctx, t.Tenant+"/"+tid, m, func(ctx context.Context, texts []*saying) error {
		_, err := s.say(ctx, turn, Idempotency{}, texts)
		return err
	})
	return Reply[Said]{Value: said}, err
}

// spokenTurn is the turn that texts are added to.
type spokenTurn struct {
	topic  stream.Topic
	number uint64
	caller tenants.Caller
}

// say commits texts. What it answers is of the last; each text has its own.
func (s *Service) say(ctx context.Context, turn spokenTurn, idem Idempotency, texts []*saying) (Reply[Said], error) {
	return run(ctx, s, command[Said]{
		caller: turn.caller, topic: turn.topic, idem: idem, status: httpOK,
		decide: func(ch *change) error {
			if ch.doc.inTurn(turn.number) {
				return ch.say(texts)
			}
			v, err := s.readTurn(ctx, ch.doc, turn.number)
			if err != nil {
				return err
			}
			return errTurnEnded(v)
		},
		answer: func(*change) Said { return texts[len(texts)-1].said },
	})
}

// say takes the texts that still fit into the turn. A refusal of all of them is
// the command's; of some it is told to who sent these.
func (c *change) say(texts []*saying) error {
	var all strings.Builder
	var refused *Problem
	open := c.doc.state.Session.Open
	for _, t := range texts {
		total := open.TextBytes + all.Len() + len(t.Text)
		if t.refused = c.doc.admits(t.Speaker); t.refused == nil && total > MaxTurnTextBytes {
			t.refused = refuse(CodeTooLarge, "more than %d bytes would be said in the turn", MaxTurnTextBytes)
		}
		if t.refused != nil {
			refused = t.refused
			continue
		}
		all.WriteString(t.Text)
		t.said = Said{TurnID: open.ID, TextBytes: total}
	}
	if all.Len() == 0 {
		return refused
	}
	c.apply(scheduler.Say(c.doc.env(c), c.doc.state, all.String()))
	return nil
}
