package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

const hello = `[{"type": "text", "text": "Move the retry."}]`

func (a *actor) prompt(sid string) sessions.Turn {
	a.t.Helper()
	reply, err := a.StartTurn(context.Background(), a.caller, sessions.Idempotency{}, sid, json.RawMessage(hello))
	require.NoError(a.t, err)
	return reply.Value
}

func (a *actor) says(turn sessions.Turn, text string) int {
	a.t.Helper()
	reply, err := a.Say(context.Background(), a.caller, sessions.Idempotency{}, turn.SessionID, turn.ID, sessions.Message{Text: text})
	require.NoError(a.t, err)
	return reply.Value.TextBytes
}

// complete ends a turn, and may be refused.
func (a *actor) complete(turn sessions.Turn, reason scheduler.TurnReason) (sessions.Turn, error) {
	reply, err := a.CompleteTurn(context.Background(), a.caller, sessions.Idempotency{}, turn.SessionID, turn.ID, sessions.TurnCompletion{Reason: reason})
	return reply.Value, err
}

func (a *actor) cancel(turn sessions.Turn) sessions.Turn {
	a.t.Helper()
	reply, err := a.CancelTurn(context.Background(), a.caller, sessions.Idempotency{}, turn.SessionID, turn.ID)
	require.NoError(a.t, err)
	return reply.Value
}

// turn is a turn as it is now.
func (a *actor) turn(turn sessions.Turn) sessions.Turn {
	a.t.Helper()
	now, err := a.Turn(context.Background(), a.caller, turn.SessionID, turn.ID)
	require.NoError(a.t, err)
	return now
}

// sendIn sends a batch of a turn, and may be refused.
func (a *actor) sendIn(sid, turn string, calls ...scheduler.Input) (sessions.Batch, error) {
	in := batch(calls...)
	if turn != "" {
		in.TurnID = &turn
	}
	reply, err := a.Submit(context.Background(), a.caller, sessions.Idempotency{}, sid, in)
	return reply.Value, err
}

// deltas is what the events of a session say was said.
func deltas(t require.TestingT, events []event) (text string, count int) {
	for _, e := range events {
		if e.Type == "message.delta" {
			var d struct{ Text string }
			require.NoError(t, json.Unmarshal(e.Data, &d))
			text += d.Text
			count++
		}
	}
	return text, count
}

func TestATurnGoesFromPromptToEnd(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	var turn, ended sessions.Turn
	events := a.since(sid, func() {
		turn = a.prompt(sid)
		require.Equal(t, turn.ID, *a.session(sid).OpenTurnID)
		require.Equal(t, 6, a.says(turn, "Sure, "))
		require.Equal(t, 14, a.says(turn, "reading."))
		b, err := a.sendIn(sid, "", call("1", "read_file", `{}`))
		require.NoError(t, err)
		require.Equal(t, turn.ID, *b.TurnID, "a batch without a turn is of the open one")
		a.succeed(b, 0, "x")
		ended, err = a.complete(turn, scheduler.TurnEndTurn)
		require.NoError(t, err)
	})
	require.Equal(t, []string{
		"turn.started", "message.delta", "message.delta", "batch.started", "call.dispatched", "call.result", "batch.completed", "turn.completed",
	}, slices.DeleteFunc(types(events), func(k string) bool { return k == "call.claimed" }))
	started := data[struct {
		Turn     sessions.Turn
		Reminder *string
		Notices  []string
	}](t, events, "turn.started")
	require.JSONEq(t, hello, string(started.Turn.Input))
	require.Equal(t, "ann", started.Turn.By)
	require.Nil(t, started.Reminder, "plan mode is off")
	require.Empty(t, started.Notices)
	require.Equal(t, ended, data[sessions.Turn](t, events, "turn.completed"))
	require.Equal(t, scheduler.TurnEndTurn, *ended.StopReason)
	require.Nil(t, a.session(sid).OpenTurnID)

	now := a.turn(turn)
	require.Equal(t, "completed", now.Status)
	require.Equal(t, "Sure, reading.", *now.Text)
	require.Equal(t, []byte(hello), []byte(now.Input), "as it came") //nolint:testifylint // byte for byte
	require.Equal(t, 14, now.TextBytes)
}

func TestThereIsOneTurnAtATime(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	b := a.send(sid, call("1", "read_file", `{}`))
	_, err := a.StartTurn(t.Context(), a.caller, sessions.Idempotency{}, sid, json.RawMessage(hello))
	require.Equal(t, b.ID, refused(t, err, sessions.CodeBatchInProgress).Extra["batch_id"])
	a.succeed(b, 0, "x")
	turn := a.prompt(sid)
	_, err = a.StartTurn(t.Context(), a.caller, sessions.Idempotency{}, sid, json.RawMessage(hello))
	require.Equal(t, turn.ID, refused(t, err, sessions.CodeTurnInProgress).Extra["turn_id"])
	a.cancel(turn)
	next := a.prompt(sid)
	require.NotEqual(t, turn.ID, next.ID)
	page, err := a.Turns(t.Context(), a.caller, sid, 1, "")
	require.NoError(t, err)
	require.Equal(t, next.ID, page.Data[0].ID)
	require.Nil(t, page.Data[0].Text)
	page, err = a.Turns(t.Context(), a.caller, sid, 1, *page.NextCursor)
	require.NoError(t, err)
	require.Equal(t, turn.ID, page.Data[0].ID)
	require.Nil(t, page.NextCursor)
	_, err = a.Turns(t.Context(), a.caller, sid, 1, "x")
	refused(t, err, sessions.CodeBadCursor)
}

func TestABatchIsOfTheOpenTurnOrRefused(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	b, err := a.sendIn(sid, "mine", call("1", "nothing", `{}`))
	require.NoError(t, err, "without a turn of the gateway's any id will do")
	require.Equal(t, "mine", *b.TurnID)
	turn := a.prompt(sid)
	_, err = a.sendIn(sid, "mine", call("2", "nothing", `{}`))
	require.Equal(t, turn.ID, refused(t, err, sessions.CodeTurnMismatch).Extra["turn_id"])
	b, err = a.sendIn(sid, turn.ID, call("2", "nothing", `{}`))
	require.NoError(t, err)
	require.Equal(t, turn.ID, *b.TurnID)
	a.cancel(turn)
	_, err = a.sendIn(sid, turn.ID, call("3", "nothing", `{}`))
	require.Nil(t, refused(t, err, sessions.CodeTurnMismatch).Extra["turn_id"], "a cancelled turn takes no more calls")
	b, err = a.sendIn(sid, "", call("3", "nothing", `{}`))
	require.NoError(t, err)
	require.Nil(t, b.TurnID, "what comes without a turn is not of one that ended")
}

func TestANewTurnBeginsLoopDetectionAnew(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	for range 3 {
		turn := a.prompt(sid)
		for i := range 4 {
			b, err := a.sendIn(sid, turn.ID, call(fmt.Sprintf("c-%d-%s", i, turn.ID), "read_file", `{}`))
			require.NoError(t, err)
			require.Empty(t, reason(t, a.succeed(b, 0, "same"), 0))
		}
		a.cancel(turn)
	}
}

func TestATurnCarriesTheReminderAndWhatIsToBeToldOnce(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(func(s *sessions.Spec) { s.SDK = new(true) }).ID
	a.mode(root, permissions.ModePlan)
	child := a.under(root, nil).ID
	for sid, sdk := range map[string]bool{root: true, child: false} {
		turn := a.prompt(sid)
		require.Equal(t, planmode.ReminderFor(sdk), turn.Reminder)
		a.cancel(turn)
		require.Equal(t, planmode.ReminderFor(sdk), a.turn(turn).Reminder)
	}
	a.mode(root, permissions.ModeDefault)
	var turn sessions.Turn
	events := a.since(root, func() { turn = a.prompt(root) })
	require.Equal(t, []string{planmode.TextManualExit}, turn.Notices)
	require.Equal(t, turn.Notices, data[struct{ Notices []string }](t, events, "turn.started").Notices)
	require.Empty(t, turn.Reminder)
	b, err := a.sendIn(root, turn.ID, call("1", "nothing", `{}`))
	require.NoError(t, err)
	up, err := a.FollowUp(t.Context(), a.caller, root, b.ID)
	require.NoError(t, err)
	require.Empty(t, up.Notices, "told once")
}

func TestACancelAbortsTheBatchAndEndsTheTurnInOneCommit(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	b, err := a.sendIn(sid, turn.ID, call("r", "read_file", `{}`), call("w", "write_file", `{"file_path": "a"}`))
	require.NoError(t, err)
	_, err = a.complete(turn, scheduler.TurnEndTurn)
	require.Equal(t, b.ID, refused(t, err, sessions.CodeBatchInProgress).Extra["batch_id"])
	q := a.question(b, 1)
	a.rules(sid, permissions.Rules{}) // what else is committed
	events := a.since(sid, func() { a.cancel(turn) })
	require.Equal(t, []string{"call.result", "call.result", "approval.resolved", "batch.completed", "turn.completed"}, types(events))
	require.Equal(t, "aborted", a.read(b).Status)
	_, err = a.answer(q, sessions.Response{OptionID: "allow_once"})
	refused(t, err, sessions.CodeApprovalAlreadyResolved)

	again := a.since(sid, func() { require.Equal(t, scheduler.TurnCancelled, *a.cancel(turn).StopReason) })
	require.Empty(t, again, "a second cancel changes nothing")
	_, err = a.complete(turn, scheduler.TurnCancelled)
	require.NoError(t, err, "the host says so too")
	_, err = a.complete(turn, scheduler.TurnEndTurn)
	require.Equal(t, turn.ID, refused(t, err, sessions.CodeTurnEnded).Extra["turn_id"])
	_, err = a.Say(t.Context(), a.caller, sessions.Idempotency{}, sid, turn.ID, sessions.Message{Text: "late"})
	refused(t, err, sessions.CodeTurnEnded)
}

func TestACancelTellsHostsOfWhatTheyHold(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	b, err := a.sendIn(sid, turn.ID, call("r", "read_file", `{}`))
	require.NoError(t, err)
	a.claim(b, "h1", 0)
	events := a.since(sid, func() { a.cancel(turn) })
	require.Equal(t, []string{"call.cancelled", "call.result", "batch.completed", "turn.completed"}, types(events))
	require.Equal(t, scheduler.ExecutionUnknown, a.read(b).Calls[0].Result.ExecutionStatus)
}

func TestClosingASessionEndsItsTurn(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	b, err := a.sendIn(sid, turn.ID, call("r", "read_file", `{}`))
	require.NoError(t, err)
	events := a.since(sid, func() { require.NoError(t, a.Close(t.Context(), a.caller, sid)) })
	require.Equal(t, []string{"call.cancelled", "call.result", "batch.completed", "turn.completed", "session.closed"}, types(events))
	require.Equal(t, scheduler.ReasonSessionClosed, reason(t, a.read(b), 0))
	require.Equal(t, scheduler.TurnSessionClosed, *a.turn(turn).StopReason)
	require.Equal(t, scheduler.TurnSessionClosed, *a.cancel(turn).StopReason)
}

// TestATurnThatNobodyWorksOnTimesOut builds what is committed when the time has
// come, because nobody waits so long.
func TestATurnThatNobodyWorksOnTimesOut(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.IdleTTLS = new(7 * 24 * 3600) }).ID
	a.prompt(sid)
	commit, err := sessions.BuiltExpiry(a.Service, a.topic(sid), scheduler.TurnTimeout)
	require.NoError(t, err)
	require.Len(t, commit.Events, 1)
	require.Contains(t, string(commit.Events[0].JSON), `"stop_reason":"timed_out"`)
	require.WithinDuration(t, commit.Now.Add(7*24*time.Hour), *commit.Deadline, time.Second, "idle from then on")

	_, err = sessions.BuiltExpiry(a.Service, a.topic(sid), scheduler.TurnTimeout-time.Second)
	require.ErrorIs(t, err, sessions.ErrNothingExpired)
	b, err := a.sendIn(sid, "", call("w", "write_file", `{"file_path": "a"}`))
	require.NoError(t, err)
	_, err = sessions.BuiltExpiry(a.Service, a.topic(sid), 0)
	require.ErrorIs(t, err, sessions.ErrNothingExpired, "an open batch has its own deadlines")
	abort(a, b)
}

func TestTextsOfATurnAreBounded(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	full := strings.Repeat("x", sessions.MaxDeltaBytes)
	for range sessions.MaxTurnTextBytes / sessions.MaxDeltaBytes {
		a.says(turn, full)
	}
	_, err := a.Say(t.Context(), a.caller, sessions.Idempotency{}, sid, turn.ID, sessions.Message{Text: "x"})
	refused(t, err, sessions.CodeTooLarge)
	for _, text := range []string{"", full + "x"} {
		_, err = a.Say(t.Context(), a.caller, sessions.Idempotency{}, sid, turn.ID, sessions.Message{Text: text})
		require.Equal(t, []string{"/text"}, faults(refused(t, err, sessions.CodeInvalid)))
	}
	require.Len(t, *a.turn(turn).Text, sessions.MaxTurnTextBytes)
	_, err = a.StartTurn(t.Context(), a.caller, sessions.Idempotency{}, sid,
		json.RawMessage(`[{"text": "`+strings.Repeat("x", sessions.MaxTurnInputBytes)+`"}]`))
	refused(t, err, sessions.CodeTooLarge)
}

// TestADeltaCostsItsOwnLength: what is committed for a text doesn't grow with
// what was said before.
func TestADeltaCostsItsOwnLength(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	cost := func() int {
		commit, err := sessions.BuiltSaying(a.Service, a.topic(sid), "one more word")
		require.NoError(t, err)
		return sessions.Written(commit)
	}
	before := cost()
	a.says(turn, strings.Repeat("x", sessions.MaxDeltaBytes))
	require.InDelta(t, before, cost(), 40, "only numbers have more digits")
}

func TestALongTextIsToldInParts(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	turn := a.prompt(sid)
	text := strings.Repeat("ö", 20_000)
	events := a.since(sid, func() { a.says(turn, text) })
	told, count := deltas(t, events)
	require.Equal(t, text, told)
	require.Equal(t, 3, count)
	long := `[{"text": "` + strings.Repeat("x", 20_000) + `"}, {"text": "b"}]`
	a.cancel(turn)
	events = a.since(sid, func() {
		reply, err := a.StartTurn(t.Context(), a.caller, sessions.Idempotency{}, sid, json.RawMessage(long))
		require.NoError(t, err)
		require.Equal(t, long, string(reply.Value.Input))
		require.Equal(t, long, string(a.turn(reply.Value).Input))
	})
	started := data[struct{ Turn sessions.Turn }](t, events, "turn.started").Turn
	require.Equal(t, `[]`, string(started.Input))
	require.True(t, started.InputPreview)
}

// TestTextsThatComeInTogetherAreCommittedTogether speaks through both of two
// replicas at once.
func TestTextsThatComeInTogetherAreCommittedTogether(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	one := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	two := one.at(start(t, server.URL(), nil))
	sid := one.create(nil).ID
	turn := one.prompt(sid)
	const each = 60
	var wg sync.WaitGroup
	errs := make(chan error, 2*each)
	for i := range each {
		for who, a := range map[string]*actor{"a": one, "b": two} {
			wg.Go(func() {
				_, err := a.Say(context.Background(), a.caller, sessions.Idempotency{}, sid, turn.ID, sessions.Message{Text: fmt.Sprintf("<%s%02d>", who, i)})
				errs <- err
			})
		}
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	told, count := deltas(t, one.events(sid))
	assert.Less(t, count, 2*each, "some went together")
	require.Equal(t, told, *two.turn(turn).Text, "the log and the turn say the same")
	for i := range each {
		require.Equal(t, 1, strings.Count(told, fmt.Sprintf("<a%02d>", i)), "each once")
		require.Equal(t, 1, strings.Count(told, fmt.Sprintf("<b%02d>", i)))
	}
	two.cancel(turn)
	_, err := one.Say(t.Context(), one.caller, sessions.Idempotency{}, sid, turn.ID, sessions.Message{Text: "x"})
	refused(t, err, sessions.CodeTurnEnded)
}

// TestATurnOutlivesItsReplica goes on, on another replica, with what one that
// is gone began.
func TestATurnOutlivesItsReplica(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	one := &actor{replica: configured(t, server.URL(), 0, true), t: t, caller: caller()}
	sid := one.create(nil).ID
	turn := one.prompt(sid)
	one.says(turn, "begun, ")
	two := one.at(start(t, server.URL(), nil))
	require.Equal(t, turn.ID, *two.session(sid).OpenTurnID)
	require.Equal(t, 12, two.says(turn, "done."))
	now := two.turn(turn)
	require.Equal(t, "begun, done.", *now.Text)
	require.Equal(t, "ann", now.By)
	ended, err := two.complete(turn, scheduler.TurnEndTurn)
	require.NoError(t, err)
	require.Equal(t, turn.StartedAt, ended.StartedAt)
	require.Equal(t, scheduler.TurnEndTurn, *one.turn(turn).StopReason)
}

// TestATurnThatBeganOnAnotherReplicaIsEndedHere ends it where the session was
// written last before it began, and is remembered so.
func TestATurnThatBeganOnAnotherReplicaIsEndedHere(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	one := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	two := one.at(start(t, server.URL(), nil))
	completed := two.prompt(one.create(nil).ID)
	ended, err := one.complete(completed, scheduler.TurnEndTurn)
	require.NoError(t, err)
	require.Equal(t, scheduler.TurnEndTurn, *ended.StopReason)
	cancelled := two.prompt(one.create(nil).ID)
	require.Equal(t, scheduler.TurnCancelled, *one.cancel(cancelled).StopReason)
}

// TestATurnEndsOnceHoweverManyEndIt races its host, a person and a close on two
// replicas.
func TestATurnEndsOnceHoweverManyEndIt(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	one := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	two := one.at(start(t, server.URL(), nil))
	for round := range 10 {
		sid := one.create(nil).ID
		turn := one.prompt(sid)
		var wg sync.WaitGroup
		for i := range 6 {
			a := []*actor{one, two}[i%2]
			wg.Go(func() {
				var err error
				switch (i + round) % 3 {
				case 0:
					_, err = a.complete(turn, scheduler.TurnEndTurn)
				case 1:
					_, err = a.CancelTurn(context.Background(), a.caller, sessions.Idempotency{}, sid, turn.ID)
				case 2:
					err = a.Close(context.Background(), a.caller, sid)
				}
				var p *sessions.Problem
				assert.True(t, err == nil || errors.As(err, &p), "%v", err)
			})
		}
		wg.Wait()
		end := data[sessions.Turn](t, one.events(sid), "turn.completed")
		require.Equal(t, *end.StopReason, *two.turn(turn).StopReason)
	}
}

func TestKeysOfTurnsAnswerTheSameAgain(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	begin := func() (sessions.Reply[sessions.Turn], error) {
		return a.StartTurn(t.Context(), a.caller, once("k", "POST …/turns", hello), sid, json.RawMessage(hello))
	}
	first, err := begin()
	require.NoError(t, err)
	again, err := begin()
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, encoded(t, first.Value), encoded(t, again.Value))
	say := func() (sessions.Reply[sessions.Said], error) {
		return a.Say(t.Context(), a.caller, once("k", "POST …/messages", "x"), sid, first.Value.ID, sessions.Message{Text: "x"})
	}
	said, err := say()
	require.NoError(t, err)
	repeated, err := say()
	require.NoError(t, err)
	require.True(t, repeated.Replayed)
	require.Equal(t, said.Value, repeated.Value)
	require.Equal(t, "x", *a.turn(first.Value).Text, "kept once")
}

func TestTheOldestTurnGoesWhenThereAreTooMany(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	var first, second sessions.Turn
	for i := range sessions.MaxTurns + 1 {
		turn := a.prompt(sid)
		switch i {
		case 0:
			first = turn
			a.says(turn, "x")
		case 1:
			second = turn
		}
		a.cancel(turn)
	}
	_, err := a.Turn(t.Context(), a.caller, sid, first.ID)
	refused(t, err, sessions.CodeNotFound)
	require.Equal(t, "completed", a.turn(second).Status)
	seen, cursor := 0, ""
	for {
		page, err := a.Turns(t.Context(), a.caller, sid, 100, cursor)
		require.NoError(t, err)
		if seen += len(page.Data); page.NextCursor == nil {
			require.Equal(t, second.ID, page.Data[len(page.Data)-1].ID)
			break
		}
		cursor = *page.NextCursor
	}
	require.Equal(t, sessions.MaxTurns, seen)
}

func TestTurnsOfNobodyAreNotFound(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	other := a.prompt(a.create(nil).ID)
	for _, id := range []string{"trn_1", strings.Replace(sid, "ses_", "trn_", 1) + "_1", other.ID} {
		ghost := sessions.Turn{ID: id, SessionID: sid}
		_, err := a.Turn(t.Context(), a.caller, sid, id)
		refused(t, err, sessions.CodeNotFound)
		_, err = a.complete(ghost, scheduler.TurnEndTurn)
		refused(t, err, sessions.CodeNotFound)
		_, err = a.Say(t.Context(), a.caller, sessions.Idempotency{}, sid, id, sessions.Message{Text: "x"})
		refused(t, err, sessions.CodeNotFound)
	}
}

func TestWhoWasReplacedNoLongerSpeaksInTheTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begin()
	first := s.attach(s.actor, "first")
	turn := s.prompt(s.sid)
	next := s.attach(s.other, "next")
	for name, c := range map[string]struct {
		who  sessions.Speaker
		code sessions.Code // "": admitted
	}{
		"the host that was replaced":   {sessions.Speaker{HostID: &first.from.Host, Fence: &first.from.Fence}, sessions.CodeHostFenced},
		"it, without its fence":        {sessions.Speaker{HostID: &first.from.Host}, sessions.CodeHostFenced},
		"an older fence of the host":   {sessions.Speaker{HostID: &next.from.Host, Fence: &first.from.Fence}, sessions.CodeHostFenced},
		"a fence of nobody":            {sessions.Speaker{Fence: &next.from.Fence}, sessions.CodeInvalid},
		"the attached host":            {sessions.Speaker{HostID: &next.from.Host, Fence: &next.from.Fence}, ""},
		"it, without its fence again":  {sessions.Speaker{HostID: &next.from.Host}, ""},
		"a host that has never a name": {sessions.Speaker{}, ""},
	} {
		_, err := s.Say(t.Context(), s.caller, sessions.Idempotency{}, s.sid, turn.ID, sessions.Message{Speaker: c.who, Text: "x"})
		if c.code == "" {
			require.NoError(t, err, name)
			continue
		}
		refused(t, err, c.code)
		_, err = s.CompleteTurn(t.Context(), s.caller, sessions.Idempotency{}, s.sid, turn.ID,
			sessions.TurnCompletion{Speaker: c.who, Reason: scheduler.TurnEndTurn})
		refused(t, err, c.code)
	}
	require.Equal(t, "xxx", *s.turn(turn).Text)
}
