package validate

import (
	"encoding/json"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// told is a story of events of one batch, as a stream brings them.
type told struct {
	*history
	t   *testing.T
	now time.Time
}

const batchID = "bat_1"

// begin tells of a batch with two calls, in a session that a host serves.
func begin(t *testing.T) *told {
	t.Helper()
	h := newHistory("ses_1")
	h.begin(client.SessionDocument{LastEventID: "4-00000000", Hosts: []string{"own"}})
	s := &told{history: h, t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return s.event(client.EventTypeBatchStarted, client.Batch{ID: batchID, Calls: []client.Call{
		{Position: 0, ID: "a", Tool: "read_file"}, {Position: 1, ID: "b", Tool: "read_file"},
	}})
}

// event tells one more thing, a second later.
func (s *told) event(kind client.EventType, data any) *told {
	s.t.Helper()
	text, err := json.Marshal(data)
	require.NoError(s.t, err)
	s.now = s.now.Add(time.Second)
	require.NoError(s.t, s.take(client.Event{Seq: new(s.seq + 1), Type: kind, BatchID: new(batchID), Time: s.now, Data: text}))
	return s
}

func (s *told) offer(position int) *told {
	return s.event(client.EventTypeCallDispatched, client.Dispatched{Position: position, Arguments: []byte(`{}`)})
}

func (s *told) claim(position int, host string) *told {
	return s.event(client.EventTypeCallClaimed, client.Claimed{Position: position, HostID: host})
}

func (s *told) late(position int) *told {
	return s.event(client.EventTypeCallLate, client.Late{Position: position})
}

// result ends a call, with a reason or, where that is empty, well and run.
func (s *told) result(position int, reason client.Reason) *told {
	r := client.Result{Position: position, Status: client.ResultStatusSuccess, StartedAt: &s.now}
	if reason != "" {
		r.Status, r.Reason = client.ResultStatusError, &reason
	}
	if reason == client.ReasonPlanBoundary {
		r.StartedAt = nil
	}
	return s.event(client.EventTypeCallResult, r)
}

func (s *told) end() *told {
	return s.event(client.EventTypeBatchCompleted, client.Batch{ID: batchID, Status: client.BatchStatusCompleted})
}

// shows tells an editor of calls and of the ends of calls.
func (s *told) shows(calls, ends int) *told {
	id := acp.ToolCallID(batchID, 0)
	for range calls {
		s.show(acp.Notice{SessionUpdate: sdk.SessionUpdate{ToolCall: &sdk.SessionUpdateToolCall{ToolCallId: id}}})
	}
	for range ends {
		s.show(acp.Notice{SessionUpdate: sdk.UpdateToolCall(id, sdk.WithUpdateStatus(sdk.ToolCallStatusCompleted))})
	}
	return s
}

// broken are the codes of the first call that the given rules find.
func (s *told) broken(rules ...batchRule) (codes []Code) {
	for _, r := range rules {
		for _, v := range r(s.history, s.batches[batchID], limits{claimWithin: 5 * time.Second}) {
			if v.Position == nil || *v.Position == 0 {
				codes = append(codes, v.Code)
			}
		}
	}
	return codes
}

func TestRulesOfOneResult(t *testing.T) {
	t.Parallel()
	ends := []batchRule{eachOnce, oneEnd}
	require.Empty(t, begin(t).result(0, "").result(1, "").end().broken(ends...))
	require.Empty(t, begin(t).result(0, "").broken(ends...), "it goes on")
	require.Equal(t, []Code{CodeResultMissing}, begin(t).result(1, "").end().broken(ends...))
	require.Equal(t, []Code{CodeResultMissing}, begin(t).result(1, "").end().result(0, "").broken(ends...), "behind the end")
	require.Equal(t, []Code{CodeResultRepeated}, begin(t).result(0, "").result(0, "").result(1, "").end().broken(ends...))
	require.Equal(t, []Code{CodeEndRepeated}, begin(t).result(0, "").result(1, "").end().end().broken(ends...))
}

func TestRulesOfSkippedCalls(t *testing.T) {
	t.Parallel()
	skipped := client.ReasonPlanBoundary
	require.Empty(t, begin(t).result(0, skipped).end().broken(skippedStay, claimedFirst))
	require.Empty(t, begin(t).offer(0).claim(0, "own").result(0, "").end().broken(skippedStay), "it was not skipped")
	require.Equal(t, []Code{CodeSiblingDispatched}, begin(t).offer(0).result(0, skipped).broken(skippedStay))
	require.Equal(t, []Code{CodeSiblingRun}, begin(t).claim(0, "own").result(0, skipped).broken(skippedStay))
	require.Equal(t, []Code{CodeSiblingRun}, begin(t).result(0, skipped).late(0).broken(skippedStay, claimedFirst))
}

func TestRulesOfClaims(t *testing.T) {
	t.Parallel()
	all := []batchRule{claimedFirst, ownClaims, timely, reported}
	require.Empty(t, begin(t).offer(0).claim(0, "own").result(0, "").broken(all...))
	require.Empty(t, begin(t).offer(0).claim(0, "own").result(0, client.ReasonAborted).late(0).broken(all...), "a report that crossed an abort")
	require.Equal(t, []Code{CodeRunUnclaimed}, begin(t).offer(0).result(0, "").broken(all...))
	require.Equal(t, []Code{CodeRunUnclaimed}, begin(t).offer(0).result(0, client.ReasonPermissionDenied).late(0).broken(all...))
	require.Equal(t, []Code{CodeClaimForeign}, begin(t).offer(0).claim(0, "other").result(0, "").broken(all...))
	require.Equal(t, []Code{CodeCallIgnored}, begin(t).offer(0).result(0, client.ReasonHostUnavailable).broken(timely))
	require.Equal(t, []Code{CodeResultDropped}, begin(t).offer(0).claim(0, "own").result(0, client.ReasonHostTimeout).broken(all...))
	require.Equal(t, []Code{CodeResultDropped, CodeResultLate},
		begin(t).offer(0).claim(0, "own").result(0, client.ReasonHostTimeout).late(0).broken(all...))
}

func TestOnlyAnIdleHostClaimsLate(t *testing.T) {
	t.Parallel()
	idle := begin(t).offer(0)
	idle.now = idle.now.Add(time.Minute)
	require.Equal(t, []Code{CodeClaimLate}, idle.claim(0, "own").broken(timely))
	busy := begin(t).offer(0).offer(1).claim(1, "own")
	busy.now = busy.now.Add(time.Minute)
	require.Empty(t, busy.result(1, "").claim(0, "own").broken(timely), "it ran another call meanwhile")
}

func TestRulesOfWhatAnEditorIsShown(t *testing.T) {
	t.Parallel()
	done := func() *told { return begin(t).result(0, "").end() }
	require.Empty(t, done().shows(1, 1).broken(shownOnce))
	require.Equal(t, []Code{CodeACPCallMissing, CodeACPResultMissing}, done().broken(shownOnce))
	require.Equal(t, []Code{CodeACPCallMissing}, done().shows(2, 1).broken(shownOnce))
	require.Equal(t, []Code{CodeACPResultMissing}, done().shows(1, 0).broken(shownOnce))
	require.Equal(t, []Code{CodeACPResultRepeated}, done().shows(1, 2).broken(shownOnce))
	require.Equal(t, []Code{CodeACPResultDiffers}, begin(t).result(0, client.ReasonHostError).end().shows(1, 1).broken(shownOnce))
}

func TestWhatIsNotAWholeBatchIsNotJudged(t *testing.T) {
	t.Parallel()
	s := begin(t)
	text, err := json.Marshal(client.Late{Position: 0})
	require.NoError(t, err)
	require.NoError(t, s.take(client.Event{Seq: new(6), Type: client.EventTypeCallLate, BatchID: new("bat_0"), Data: text}))
	require.Len(t, s.order, 1)
	require.Empty(t, s.history.broken)
	require.NoError(t, s.take(client.Event{Seq: new(8), Type: client.EventTypePlanUpdated}))
	require.Equal(t, CodeStreamGap, s.history.broken[0].Code)
	require.Error(t, s.take(client.Event{Seq: new(9), Type: client.EventTypeBatchStarted, Data: []byte(`[]`)}))
}

func TestArgumentsAreMadeOfSimpleSchemasOnly(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{}`: `{}`,
		`{"required":["path"],"properties":{"path":{"type":"string"},"depth":{"type":"integer"}}}`: `{"path":"."}`,
		`{"required":["n","b","l","e","s"],"properties":{"n":{"type":"integer","minimum":3},"b":{"type":"boolean"},
		  "l":{"type":"array"},"e":{"enum":["x","y"]},"s":{"type":["string","null"]}}}`: `{"b":false,"e":"x","l":[],"n":3,"s":"."}`,
		`{"required":["o"],"properties":{"o":{"type":"object"}}}`: ``,
	} {
		var doc map[string]any
		require.NoError(t, json.Unmarshal([]byte(schema), &doc))
		got, err := argumentsFor(doc)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestEveryCodeOfTheGatewaysAuditIsKnown(t *testing.T) {
	t.Parallel()
	for _, r := range requestRules {
		require.True(t, client.ModelRequestCheckViolationsCode(r.code).Valid(), r.code)
		require.Equal(t, Host, partyOf(Code(RequestPrefix+r.code)))
	}
	seen := map[Code]bool{}
	for _, a := range Codes() {
		require.False(t, seen[a.Code], a.Code)
		seen[a.Code] = true
	}
}
