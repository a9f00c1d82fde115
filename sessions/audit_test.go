package sessions_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// auditLines is the export of the actor's tenant.
func (a *actor) auditLines() []audit.Line {
	a.t.Helper()
	var out []audit.Line
	for line, err := range a.Audit(a.t.Context(), a.caller, time.Time{}) {
		require.NoError(a.t, err)
		out = append(out, line)
	}
	return out
}

// auditEntries are the entries of a session, in order.
func (a *actor) auditEntries(sid string) []audit.Entry {
	a.t.Helper()
	var out []audit.Entry
	for _, line := range a.auditLines() {
		var e audit.Entry
		if line.Entry != nil {
			require.NoError(a.t, json.Unmarshal(line.Entry, &e))
		}
		if e.Session == sid {
			out = append(out, e)
		}
	}
	return out
}

// verified is what a verification of the tenant's export finds.
func (a *actor) verified() *audit.Report {
	a.t.Helper()
	var export bytes.Buffer
	for _, line := range a.auditLines() {
		require.NoError(a.t, json.NewEncoder(&export).Encode(line))
	}
	report, err := audit.Verifier{}.Verify(&export)
	require.NoError(a.t, err)
	return report
}

// deeds are what was done, by whom.
func deeds(entries []audit.Entry) []string {
	var out []string
	for _, e := range entries {
		for _, act := range e.Acts {
			more := []string{act.CallID, act.Reason, act.Status, act.OptionID, act.From, act.To}
			out = append(out, strings.Join(strings.Fields(e.Actor.Subject+" "+string(act.Type)+" "+strings.Join(more, " ")), " "))
		}
	}
	return out
}

func TestWhatIsDecidedAnsweredAndChangedIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.rules(s.sid, permissions.Rules{Deny: []string{"execute"}})
	b := s.send(s.sid, call("w", "write_file", `{"file_path": "a"}`), call("x", "run_shell_command", `{"command": "ls"}`))
	s.other.as("bob", tenants.RoleFrontend).choose(*b.Calls[0].ApprovalID, scheduler.OptionAllowSession)
	s.mode(s.sid, permissions.ModePlan)
	_, err := s.Abort(t.Context(), s.caller, sessions.Idempotency{}, s.sid, b.ID)
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context(), s.caller, s.sid))

	entries := s.auditEntries(s.sid)
	require.Equal(t, []string{
		"ann session.created default",
		"ann rules.changed",
		"ann call.decided w",
		"ann call.refused x permission_denied",
		"bob grant.given",
		"bob approval.resolved approved allow_session",
		"ann mode.changed default plan",
		"ann call.refused w plan_mode_denied",
		"ann session.closed",
	}, deeds(entries))
	last := s.session(s.sid).LastEventID
	require.NotNil(t, last)
	seq, hash, _ := strings.Cut(entries[len(entries)-1].Head, "-")
	require.Len(t, hash, 64)
	require.Equal(t, *last, seq+"-"+hash[:8], "the entry speaks of the session's history up to here")
}

func TestTimeThatPassesHasNoActor(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sid = s.create(func(spec *sessions.Spec) { spec.ApprovalTimeoutS = new(1) }).ID
	b := s.send(s.sid, call("w", "write_file", `{"file_path": "a"}`))
	s.ended(b)
	entries := s.auditEntries(s.sid)
	require.Zero(t, entries[len(entries)-1].Actor)
	require.Equal(t, []string{"call.refused w approval_expired", "approval.resolved expired"}, deeds(entries[len(entries)-1:]))
}

func TestEveryEntryIsSealedSoonByWhateverReplica(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for range 3 {
		s.asked(s.create(nil).ID)
	}
	require.Eventually(t, func() bool { return s.verified().Unsealed == 0 }, patience, 50*time.Millisecond)
	report := s.verified()
	require.True(t, report.Intact(), "%v", report.Breaks)
	require.GreaterOrEqual(t, report.Entries, 7)

	s.asked(s.sid) // the next seal follows the one before it
	require.Eventually(t, func() bool { return s.verified().Seals > report.Seals && s.verified().Unsealed == 0 }, patience, 50*time.Millisecond)
	require.True(t, s.verified().Intact())
}

func TestWhoeverRewritesTheStoreIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.asked(s.sid)
	require.Eventually(t, func() bool { return s.verified().Unsealed == 0 }, patience, 50*time.Millisecond)
	for _, line := range s.auditLines() {
		if line.Entry == nil {
			continue
		}
		keys, err := s.redis.Keys(t.Context(), "*"+s.caller.Tenant+":~:audit").Result()
		require.NoError(t, err)
		for _, key := range keys {
			require.NoError(t, s.redis.XDel(t.Context(), key, line.ID).Err())
		}
		break
	}
	report := s.verified()
	require.Len(t, report.Breaks, 1)
	require.Contains(t, report.Breaks[0].Why, "removed")
}
