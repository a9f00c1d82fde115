package api

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/admin"
)

// Service is what the routes need of package sessions.
type Service interface {
	SessionService
	PolicyService
	TurnService
	HostService
	BatchService
	ApprovalService
	RecordService
	AuditService
}

var _ Service = (*sessions.Service)(nil)

// AuditService is the tenants' audit logs.
type AuditService interface {
	Audit(ctx context.Context, c tenants.Caller, since time.Time) iter.Seq2[audit.Line, error]
	Note(ctx context.Context, c tenants.Caller, tenant string, acts ...audit.Act) error
}

// SessionService makes, reads and ends sessions.
type SessionService interface {
	Create(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, spec sessions.Spec) (sessions.Reply[sessions.Session], error)
	Get(ctx context.Context, c tenants.Caller, sid string) (sessions.Session, error)
	List(ctx context.Context, c tenants.Caller, f sessions.SessionFilter) (sessions.Page[sessions.Session], error)
	SetLabels(ctx context.Context, c tenants.Caller, sid string, labels map[string]string) (sessions.Session, error)
	Close(ctx context.Context, c tenants.Caller, sid string) error
}

// PolicyService reads and changes what a session may do.
type PolicyService interface {
	Tools(ctx context.Context, c tenants.Caller, sid string) (sessions.ToolSet, int64, error)
	SetTools(ctx context.Context, c tenants.Caller, sid string, tools []sessions.ToolSpec) (sessions.Session, error)
	SetRules(ctx context.Context, c tenants.Caller, sid string, r permissions.Rules) (sessions.Session, error)
	SetMode(ctx context.Context, c tenants.Caller, sid string, m permissions.Mode) (sessions.Session, error)
	Plan(ctx context.Context, c tenants.Caller, sid string) (sessions.Plan, error)
	PatchPlan(ctx context.Context, c tenants.Caller, sid string, p sessions.PlanPatch) (sessions.Plan, error)
	Grants(ctx context.Context, c tenants.Caller, sid string) ([]sessions.Grant, error)
	Explain(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string, in sessions.Submission) (sessions.Reply[sessions.Explanation], error)
	RevokeGrants(ctx context.Context, c tenants.Caller, sid, grantID string) error
}

// TurnService takes a person's prompts to the host and back.
type TurnService interface {
	StartTurn(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string, input json.RawMessage) (sessions.Reply[sessions.Turn], error)
	Turns(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (sessions.Page[sessions.Turn], error)
	Turn(ctx context.Context, c tenants.Caller, sid, tid string) (sessions.Turn, error)
	Say(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, tid string, m sessions.Message) (sessions.Reply[sessions.Said], error)
	CompleteTurn(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, tid string, end sessions.TurnCompletion) (sessions.Reply[sessions.Turn], error)
	CancelTurn(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, tid string) (sessions.Reply[sessions.Turn], error)
	Interrupt(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string) (sessions.Reply[sessions.Interruption], error)
}

// BatchService takes batches through their life.
type BatchService interface {
	Submit(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string, in sessions.Submission) (sessions.Reply[sessions.Batch], error)
	Batches(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (sessions.Page[sessions.Batch], error)
	Batch(ctx context.Context, c tenants.Caller, sid, bid string, wait time.Duration) (sessions.Batch, error)
	Claim(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, bid string, r sessions.ClaimRequest) (sessions.Reply[[]sessions.Claim], error)
	Report(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, bid string, r sessions.Report) (sessions.Reply[sessions.Batch], error)
	Abort(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, bid string) (sessions.Reply[sessions.Batch], error)
	CheckModelRequest(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string, r sessions.ModelRequest) (sessions.Reply[sessions.ModelRequestCheck], error)
	FollowUp(ctx context.Context, c tenants.Caller, sid, bid string) (sessions.FollowUp, error)
}

// HostService keeps the host that runs a session's calls.
type HostService interface {
	Attach(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid string, r sessions.AttachRequest) (sessions.Reply[sessions.Host], error)
	Hosts(ctx context.Context, c tenants.Caller, sid string) ([]sessions.Host, error)
	Heartbeat(ctx context.Context, c tenants.Caller, sid string, from scheduler.Sender) (sessions.Renewal, error)
	Detach(ctx context.Context, c tenants.Caller, sid string, from scheduler.Sender) error
	ReportProgress(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, bid string, r sessions.ProgressRequest) (sessions.Reply[sessions.Progress], error)
}

// ApprovalService is the tenant's inbox.
type ApprovalService interface {
	Approvals(ctx context.Context, c tenants.Caller, f sessions.ApprovalFilter) (sessions.Page[sessions.Approval], error)
	Approval(ctx context.Context, c tenants.Caller, aid string) (sessions.Approval, error)
	Respond(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, aid string, r sessions.Response) (sessions.Reply[sessions.Approval], error)
	RespondToCall(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, sid, callID string, r sessions.Response) (sessions.Reply[sessions.Approval], error)
}

// RecordService reads what happened.
type RecordService interface {
	Output(ctx context.Context, c tenants.Caller, sid, ref string, offset, limit int) (sessions.OutputPage, error)
	Transcript(ctx context.Context, c tenants.Caller, sid string, yield func(sessions.TranscriptLine) error) error
	Topic(ctx context.Context, c tenants.Caller, sid string) (stream.Topic, error)
	Place(c tenants.Caller, sid string) (stream.Topic, error)
	TenantLogs(c tenants.Caller) [stream.TenantLogs]uint16
	Sees(ctx context.Context, c tenants.Caller, sid string) (bool, error)
	Sight(ctx context.Context, c tenants.Caller) func(sid, event string) (bool, error)
	SnapshotFor(ctx context.Context, c tenants.Caller) ([]byte, stream.Vector, error)
}

// Administrator is what the routes need of package tenants/admin.
type Administrator interface {
	Tenants(ctx context.Context, c tenants.Caller, limit int, cursor string) (sessions.Page[admin.Tenant], error)
	Tenant(ctx context.Context, c tenants.Caller, id string) (admin.Tenant, error)
	CreateTenant(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, in admin.NewTenant) (sessions.Reply[admin.Tenant], error)
	DeleteTenant(ctx context.Context, c tenants.Caller, id string) (admin.Tenant, error)
	Export(ctx context.Context, c tenants.Caller, tenant string, yield func(admin.ExportLine) error) error
	Settings(ctx context.Context, c tenants.Caller, tenant string) (tenants.Settings, error)
	PutSettings(ctx context.Context, c tenants.Caller, tenant string, next tenants.Settings, ifMatch *int64) (tenants.Settings, error)
	Keys(ctx context.Context, c tenants.Caller, tenant string) ([]admin.Key, error)
	CreateKey(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, tenant string, in admin.NewKey) (sessions.Reply[admin.MadeKey], error)
	RotateKey(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, tenant, id string, overlap time.Duration) (sessions.Reply[admin.MadeKey], error)
	RevokeKey(ctx context.Context, c tenants.Caller, tenant, id string) error
}

var _ Administrator = (*admin.Service)(nil)

// Authenticator knows whose key a bearer token is; any error means nobody's.
type Authenticator interface {
	Authenticate(ctx context.Context, bearer string) (tenants.Caller, error)
	// StillValid says whether a caller who was authenticated before would be now.
	StillValid(c tenants.Caller) bool
}

// Streamer writes a session's events, or those of a tenant, until the reader
// leaves or is cut off.
type Streamer interface {
	Open(ctx context.Context, r stream.Request) (stream.Stream, error)
	OpenTenant(ctx context.Context, r stream.TenantRequest) (stream.Stream, error)
	Follows(t stream.Topic) bool
}

var _ Streamer = (*stream.Hub)(nil)
