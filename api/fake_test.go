package api_test

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

const (
	sid = "ses_b0001_one"
	bid = "bat_1"
	aid = "apr_b0001_one"
	tid = "trn_1"
)

var at = scheduler.Timestamp{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}

// fake answers every use case with one session, batch and approval, and counts
// the writes that reach it.
type fake struct {
	mu     sync.Mutex
	writes int

	idem       sessions.Idempotency
	submission sessions.Submission
	plan       sessions.PlanPatch
	wait       time.Duration
	report     sessions.Report
	input      string
	asked      sessions.ModelRequest
	refuse     error // answered instead, when set
	replayed   bool
	lines      []sessions.TranscriptLine
	lastErr    error // after the lines
	followUp   sessions.FollowUp
	claim      sessions.ClaimRequest
	attached   sessions.AttachRequest
	progress   sessions.ProgressRequest
	sender     scheduler.Sender
	tools      sessions.ToolSet
	audited    []audit.Line
	noted      []string
	noteErr    error
}

func newFake() *fake {
	return &fake{
		followUp: sessions.FollowUp{Batch: batchDocument(), Notices: []string{}},
		tools:    sessionDocument().tools(),
		lines:    []sessions.TranscriptLine{{BatchID: bid, Format: "native", Results: []scheduler.Result{}, Notices: []string{}}},
	}
}

// wrote counts a write and gives the answer that was ordered.
func (f *fake) wrote(note func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	note()
	return f.refuse
}

func (f *fake) found(id string) error {
	if f.refuse != nil {
		return f.refuse
	}
	if id != sid && id != bid && id != aid && id != tid {
		return &sessions.Problem{Code: sessions.CodeNotFound, Detail: "no such thing"}
	}
	return nil
}

// refused orders what is answered from now on; nil: as usual.
func (f *fake) refused(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = err
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes
}

type document sessions.Session

func (d document) tools() sessions.ToolSet { return *d.Tools }

func sessionDocument() document {
	last, tools := "1-9c1185a5", sessions.ToolSet{{
		Name: "write_file", Aliases: []string{}, Kind: permissions.KindEdit, InputSchema: scheduler.RawJSON(`{}`), TimeoutS: 600,
	}}
	return document{
		ID: sid, Tenant: "dev", Status: "active", Runtime: scheduler.RuntimeCore, Agent: "main",
		ApprovalMode: permissions.ModeDefault, EffectiveMode: permissions.ModeDefault, Cwd: "/",
		Modules: sessions.Modules{PlanMode: true}, Approvals: "frontend", Tools: &tools,
		Rules:  &permissions.Rules{Deny: []string{}, Ask: []string{}, Allow: []string{}},
		Labels: map[string]string{}, OpenApprovals: []string{}, Hosts: []string{}, LastEventID: &last,
		CreatedAt: at, UpdatedAt: at,
	}
}

func planDocument() sessions.Plan { return sessions.Plan{Text: "x", Revision: 4, Reminder: "r"} }

func batchDocument() sessions.Batch {
	reason := scheduler.ReasonPlanBoundary
	return sessions.Batch{
		ID: bid, SessionID: sid, Format: "native", Status: "completed", CreatedAt: at, CompletedAt: &at,
		CallsSHA256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		Calls: []sessions.Call{{
			ID: "c1", Name: "write_file", Tool: "write_file", State: "done",
			Result: &scheduler.Result{
				CallID: "c1", Name: "write_file", Tool: "write_file", Status: scheduler.StatusError,
				ExecutionStatus: scheduler.ExecutionNotStarted, Reason: &reason, Output: "<not executed>",
				Error:      &scheduler.CallError{Type: scheduler.ErrorExecutionDenied, Message: "<not executed>"},
				FinishedAt: at,
			},
		}},
	}
}

func approvalDocument() sessions.Approval {
	return sessions.Approval{
		ID: aid, SessionID: sid, BatchID: bid, CallID: "c1", Tool: "write_file", Kind: "tool", Status: "pending",
		Arguments: scheduler.RawJSON(`{}`), RequestedAt: at, Required: 1, Votes: []sessions.Vote{},
		Options: []sessions.ApprovalOption{{ID: "allow_once", Kind: "allow_once", Label: "Allow once"}},
	}
}

func (f *fake) Create(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, _ sessions.Spec) (sessions.Reply[sessions.Session], error) {
	err := f.wrote(func() { f.idem = idem })
	return sessions.Reply[sessions.Session]{Value: sessions.Session(sessionDocument()), Replayed: f.replayed}, err
}

func (f *fake) Get(_ context.Context, _ tenants.Caller, id string) (sessions.Session, error) {
	return sessions.Session(sessionDocument()), f.found(id)
}

func (f *fake) List(context.Context, tenants.Caller, sessions.SessionFilter) (sessions.Page[sessions.Session], error) {
	return sessions.Page[sessions.Session]{Data: []sessions.Session{sessions.Session(sessionDocument())}}, f.refuse
}

// changed is a write to a session that may not exist.
func (f *fake) changed(id string, note func()) (sessions.Session, error) {
	if err := f.found(id); err != nil {
		return sessions.Session{}, err
	}
	return sessions.Session(sessionDocument()), f.wrote(note)
}

func (f *fake) SetLabels(_ context.Context, _ tenants.Caller, id string, _ map[string]string) (sessions.Session, error) {
	return f.changed(id, func() {})
}

func (f *fake) Close(_ context.Context, _ tenants.Caller, id string) error {
	_, err := f.changed(id, func() {})
	return err
}

func (f *fake) Tools(_ context.Context, _ tenants.Caller, id string) (sessions.ToolSet, int64, error) {
	return f.tools, 1, f.found(id)
}

func (f *fake) SetTools(_ context.Context, _ tenants.Caller, id string, _ []sessions.ToolSpec) (sessions.Session, error) {
	return f.changed(id, func() {})
}

func (f *fake) SetRules(_ context.Context, _ tenants.Caller, id string, _ permissions.Rules) (sessions.Session, error) {
	return f.changed(id, func() {})
}

func (f *fake) SetMode(_ context.Context, _ tenants.Caller, id string, _ permissions.Mode) (sessions.Session, error) {
	return f.changed(id, func() {})
}

func (f *fake) Plan(_ context.Context, _ tenants.Caller, id string) (sessions.Plan, error) {
	return planDocument(), f.found(id)
}

func (f *fake) PatchPlan(_ context.Context, _ tenants.Caller, id string, p sessions.PlanPatch) (sessions.Plan, error) {
	_, err := f.changed(id, func() { f.plan = p })
	return planDocument(), err
}

func (f *fake) Grants(_ context.Context, _ tenants.Caller, id string) ([]sessions.Grant, error) {
	return nil, f.found(id)
}

func (f *fake) RevokeGrants(_ context.Context, _ tenants.Caller, id, _ string) error {
	_, err := f.changed(id, func() {})
	return err
}

func (f *fake) batch(id string, idem sessions.Idempotency, note func()) (sessions.Reply[sessions.Batch], error) {
	_, err := f.changed(id, func() { f.idem = idem; note() })
	return sessions.Reply[sessions.Batch]{Value: batchDocument(), Replayed: f.replayed}, err
}

func (f *fake) Submit(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, in sessions.Submission) (sessions.Reply[sessions.Batch], error) {
	return f.batch(id, idem, func() { f.submission = in })
}

func (f *fake) Batches(_ context.Context, _ tenants.Caller, id string, _ int, _ string) (sessions.Page[sessions.Batch], error) {
	return sessions.Page[sessions.Batch]{Data: []sessions.Batch{batchDocument()}}, f.found(id)
}

func (f *fake) Batch(_ context.Context, _ tenants.Caller, id, _ string, wait time.Duration) (sessions.Batch, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wait = wait
	return batchDocument(), f.found(id)
}

func (f *fake) Claim(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, r sessions.ClaimRequest) (sessions.Reply[[]sessions.Claim], error) {
	reply, err := f.batch(id, idem, func() { f.claim = r })
	return sessions.Reply[[]sessions.Claim]{Value: []sessions.Claim{{Granted: true, Call: reply.Value.Calls[0]}}, Replayed: reply.Replayed}, err
}

func (f *fake) Report(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, r sessions.Report) (sessions.Reply[sessions.Batch], error) {
	return f.batch(id, idem, func() { f.report = r })
}

func (f *fake) Abort(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string) (sessions.Reply[sessions.Batch], error) {
	return f.batch(id, idem, func() {})
}

func (f *fake) FollowUp(_ context.Context, _ tenants.Caller, id, _ string) (sessions.FollowUp, error) {
	return f.followUp, f.found(id)
}

func (f *fake) Approvals(context.Context, tenants.Caller, sessions.ApprovalFilter) (sessions.Page[sessions.Approval], error) {
	return sessions.Page[sessions.Approval]{Data: []sessions.Approval{approvalDocument()}}, f.refuse
}

func (f *fake) Approval(_ context.Context, _ tenants.Caller, id string) (sessions.Approval, error) {
	return approvalDocument(), f.found(id)
}

func (f *fake) Respond(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, _ sessions.Response) (sessions.Reply[sessions.Approval], error) {
	_, err := f.changed(id, func() { f.idem = idem })
	return sessions.Reply[sessions.Approval]{Value: approvalDocument(), Replayed: f.replayed}, err
}

func (f *fake) Output(_ context.Context, _ tenants.Caller, id, _ string, offset, _ int) (sessions.OutputPage, error) {
	return sessions.OutputPage{Text: "x", Offset: offset, Total: 1}, f.found(id)
}

func (f *fake) Audit(context.Context, tenants.Caller, time.Time) iter.Seq2[audit.Line, error] {
	return func(yield func(audit.Line, error) bool) {
		for _, l := range f.audited {
			if !yield(l, nil) {
				return
			}
		}
	}
}

func (f *fake) Note(_ context.Context, c tenants.Caller, tenant string, acts ...audit.Act) error {
	for _, act := range acts {
		f.noted = append(f.noted, tenant+": "+c.Subject+" "+string(act.Type)+" "+act.Operation)
	}
	return f.noteErr
}

func (f *fake) Transcript(_ context.Context, _ tenants.Caller, id string, yield func(sessions.TranscriptLine) error) error {
	if err := f.found(id); err != nil {
		return err
	}
	for _, l := range f.lines {
		if err := yield(l); err != nil {
			return err
		}
	}
	return f.lastErr
}

func (f *fake) Topic(_ context.Context, _ tenants.Caller, id string) (stream.Topic, error) {
	return stream.Topic{Tenant: "dev", Session: id}, f.found(id)
}

func (f *fake) Place(_ tenants.Caller, id string) (stream.Topic, error) {
	return stream.Topic{Tenant: "dev", Session: id}, nil
}

func (f *fake) Sees(context.Context, tenants.Caller, string) (bool, error) { return true, nil }

func (f *fake) Sight(context.Context, tenants.Caller) func(string, string) (bool, error) { return nil }

func (f *fake) SnapshotFor(context.Context, tenants.Caller) ([]byte, stream.Vector, error) {
	return nil, stream.Vector{}, nil
}

func (f *fake) TenantLogs(tenants.Caller) (buckets [stream.TenantLogs]uint16) {
	buckets[0] = 7
	return buckets
}

// fakeHub writes one frame that says what it was asked.
type fakeHub struct {
	mu  sync.Mutex
	err error
	got stream.Request

	gotTenant stream.TenantRequest

	follows bool
}

func (h *fakeHub) Follows(stream.Topic) bool { return h.follows }

func (h *fakeHub) Open(_ context.Context, r stream.Request) (stream.Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = r
	return fakeStream("data: " + r.Cursor.String() + "\n\n"), h.err
}

func (h *fakeHub) OpenTenant(_ context.Context, r stream.TenantRequest) (stream.Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gotTenant = r
	return fakeStream(": tenant\n\n"), h.err
}

// fakeStream is one frame.
type fakeStream string

func (s fakeStream) Begin(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/event-stream")
	_, err := w.Write([]byte(s))
	return err
}

func (fakeStream) Advance(context.Context) (open bool, err error) { return false, nil }

func (fakeStream) Wait() {}

// everyRole is the key with every role.
const everyRole = "every"

// keys are a directory in which every role has the key of its own name.
type keys struct{}

func (keys) Authenticate(_ context.Context, bearer string) (tenants.Caller, error) {
	role := tenants.Role(bearer)
	if bearer == everyRole {
		return tenants.Caller{Tenant: "dev", KeyID: bearer, Subject: bearer, Roles: tenants.AllRoles()}, nil
	}
	if !slices.Contains(tenants.AllRoles(), role) {
		return tenants.Caller{}, tenants.ErrUnknownKey
	}
	return tenants.Caller{Tenant: "dev", KeyID: bearer, Subject: bearer, Roles: []tenants.Role{role}}, nil
}

func (keys) StillValid(tenants.Caller) bool { return true }
