package tenants

// Settings are what a tenant has set for all its sessions. They are data: what
// they mean is said where they are used (rules in permissions, approvers and
// hooks in sessions, limits at the door). The zero value sets nothing.
type Settings struct {
	// Revision counts the changes; 0: never set. It is not part of what is put.
	Revision uint64 `json:"revision"`
	// Rules are consulted before those of any session.
	Rules Rules `json:"rules"`
	// ProtectedPaths are denied to every read and write; nil: the defaults.
	ProtectedPaths *[]string `json:"protected_paths,omitempty"`
	// PlanShell says whether provably read-only commands may run in plan mode.
	PlanShell PlanShell `json:"plan_shell"`
	Approvers Approvers `json:"approvers"`
	Hooks     []Hook    `json:"hooks,omitempty"`
	// Limits hold for the whole tenant, KeyLimits for each of its keys.
	Limits    Limits    `json:"limits"`
	KeyLimits KeyLimits `json:"key_limits"`
}

// Rules are the three lists of the permission engine, as patterns.
type Rules struct {
	Deny  []string `json:"deny,omitempty"`
	Ask   []string `json:"ask,omitempty"`
	Allow []string `json:"allow,omitempty"`
}

// PlanShell says what happens to shell commands in plan mode.
type PlanShell string

// What plan mode does with commands.
const (
	PlanShellDeny     PlanShell = "deny"      // all are denied: the default
	PlanShellReadOnly PlanShell = "read_only" // provably read-only ones go on to ask and allow rules
)

// Approvers says who may answer an approval, and how many have to.
type Approvers struct {
	// Min is how many distinct subjects have to approve; 0 and 1: one.
	Min int `json:"min,omitempty"`
	// Roles and Subjects narrow who may answer; both empty: whoever may by role.
	Roles    []Role   `json:"roles,omitempty"`
	Subjects []string `json:"subjects,omitempty"`
	// FourEyes refuses the subject who runs the session's host.
	FourEyes bool `json:"four_eyes,omitempty"`
}

// Hook is one signed webhook of a tenant.
type Hook struct {
	ID     string      `json:"id"`
	URL    string      `json:"url"`
	Events []HookEvent `json:"events"`
	// Secret signs what is sent (whsec_…). It is written, never read back.
	Secret string `json:"secret,omitempty"`
	// TimeoutMS is how long an answer may take, in milliseconds; 0: the default.
	TimeoutMS int `json:"timeout_ms,omitempty"`
	// OnTimeout is what a PreToolUse hook that doesn't answer means; empty: deny.
	OnTimeout HookVerdict `json:"on_timeout,omitempty"`
}

// HookEvent is what a hook is told of.
type HookEvent string

// What hooks are told of.
const (
	HookPreToolUse        HookEvent = "PreToolUse"        // before a call may start; its answer may deny or ask
	HookPostToolUse       HookEvent = "PostToolUse"       // a call has its result
	HookPostToolBatch     HookEvent = "PostToolBatch"     // core, headless: a batch is complete, skipped calls included
	HookApprovalRequested HookEvent = "ApprovalRequested" // a person is wanted
)

// HookVerdict is what a PreToolUse hook says of a call. It never approves what
// a rule denies or a person must answer.
type HookVerdict string

// What a PreToolUse hook may say.
const (
	HookPass HookVerdict = "pass" // the rules' own verdict stands
	HookAsk  HookVerdict = "ask"  // a person has to approve
	HookDeny HookVerdict = "deny"
)

// Limits are what a tenant may use; 0: the deployment's default, -1: no limit.
type Limits struct {
	RequestsPerMinute int `json:"requests_per_minute,omitempty"`
	BatchesPerMinute  int `json:"batches_per_minute,omitempty"`
	OpenStreams       int `json:"open_streams,omitempty"`
	Sessions          int `json:"sessions,omitempty"`
	// StoredBytes is what its sessions may take in Redis.
	StoredBytes int64 `json:"stored_bytes,omitempty"`
}

// KeyLimits are what a key may use, as [Limits]. What is stored belongs to the
// tenant, so keys have no limit of it.
type KeyLimits struct {
	RequestsPerMinute int `json:"requests_per_minute,omitempty"`
	BatchesPerMinute  int `json:"batches_per_minute,omitempty"`
	OpenStreams       int `json:"open_streams,omitempty"`
}

// Limits are those of the key, as a tenant's.
func (k KeyLimits) Limits() Limits {
	return Limits{RequestsPerMinute: k.RequestsPerMinute, BatchesPerMinute: k.BatchesPerMinute, OpenStreams: k.OpenStreams}
}
