package scheduler

import (
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// Unlimited is the value of a limit that is not set.
const Unlimited = -1

// MaxInFlight is how many calls of a parallel group are in flight at once in
// core and headless: enough to keep a host busy, few enough not to flood it.
const MaxInFlight = 10

// Settings are what a session was created with; they don't change by commands.
type Settings struct {
	Runtime          Runtime
	MainAgent        bool // not a subagent, not a teammate
	SDK              bool
	Approver         bool // somebody can be asked
	Locked           bool // only an admin changes the mode
	Cwd              string
	ApprovalTimeout  time.Duration // 0: until the session ends
	ClaimTimeout     time.Duration // 0: never
	MaxToolCalls     int           // headless; Unlimited
	IdenticalCalls   int           // loop limit; 0 disables
	CallsPerTurn     int           // loop limit; 0 disables
	ToolOutputChars  int
	BatchOutputChars int
}

// Session is the part of a session that commands change.
type Session struct {
	Settings
	Mode         permissions.Mode
	Previous     permissions.Mode // the mode before plan; empty while off
	ModeRevision int64
	Plan         planmode.State
	LastApproved *ApprovedPlan
	Used         int // calls started or reserved in the session's life
	Turn         Turn
	Open         *OpenTurn // the turn that a host works on, if there is one; never changed in place
	Notices      []string  // to be told to the model once
	Lease        *Lease    // of the attached host; nil: none is
	Fences       int64     // the last fence that was given
}

// ApprovedPlan is the plan that a person approved last.
type ApprovedPlan struct {
	Text string
	By   string
	At   time.Time
}

// Turn is what loop detection counts within.
type Turn struct {
	ID    string // empty until a turn is known
	Calls int    // counted once a turn is known
	Row   Row
}

// Row is the identical calls in a row.
type Row struct {
	Key    string // hash of canonical name and arguments
	Count  int
	Result string // hash of the last result of such a call
}

// State is a session with its open batch, if it has one.
type State struct {
	Session Session
	Batch   *Batch
}

// BatchStatus is where a batch stands.
type BatchStatus string

// The statuses of a batch.
const (
	BatchRunning   BatchStatus = "running"
	BatchCompleted BatchStatus = "completed"
	BatchAborted   BatchStatus = "aborted"
)

// Batch is the calls of one model response.
type Batch struct {
	ID         string
	Number     uint64 // 1, 2, 3 … in its session
	TurnID     string
	HostID     string // set: its sender runs it
	ResponseID string
	Format     string
	Status     BatchStatus
	Stop       *Stop
	Calls      []Call
	Approvals  []Approval // k-th raised at index k-1
	Notices    []string
	By         string // the subject that sent it
	Created    time.Time
	Completed  time.Time
	// Abandoned: the sender is not to run what has not started; any host may.
	Abandoned bool
	// RuntimeView is shown with every open call that has none of its own.
	RuntimeView string
	// Trace is the traceparent that it was submitted with; empty: it is not traced.
	Trace string
}

// Call is one call of a batch.
type Call struct {
	Input
	Tool       string // canonical
	Key        string // hash of canonical name and arguments
	State      CallState
	Decision   *Decision
	Host       string      // who claimed it
	Hooks      []AskedHook // that the call was put to; nil: none was asked. Never changed in place
	HooksAsked time.Time
	Approval   int  // the k-th approval of the batch is the call's latest; 0: none
	Approved   bool // a person said yes to this call
	Counted    bool // reserved in the budget
	Dispatched time.Time
	Started    time.Time
	Deadline   time.Time // when the present state runs out; zero: never
	Told       time.Time // when the host's last word about it was passed on
	Texts      int       // how many words of the host were passed on
	Report     string    // hash of what the host reported
	Size       int       // characters of what the host sent
	Result     *Result
	Rendered   *Rendered
}

// Rendered stands in the next request instead of a result's output.
type Rendered struct {
	Output string
	Ref    string
}

// ApprovalKind says what a person is asked.
type ApprovalKind string

// The kinds of approvals.
const (
	ApprovalTool     ApprovalKind = "tool"
	ApprovalPlanExit ApprovalKind = "plan_exit"
)

// ApprovalStatus is where an approval stands; pending is the only open one.
type ApprovalStatus string

// The statuses of an approval.
const (
	ApprovalPending   ApprovalStatus = "pending"
	ApprovalApproved  ApprovalStatus = "approved"
	ApprovalRejected  ApprovalStatus = "rejected"
	ApprovalExpired   ApprovalStatus = "expired"
	ApprovalCancelled ApprovalStatus = "cancelled"
	ApprovalStale     ApprovalStatus = "stale"
)

// Approval is a question to a person.
type Approval struct {
	Number       int // k: its place among the batch's approvals, from 1
	Position     int
	Kind         ApprovalKind
	Tool         string
	Subject      string
	Plan         *planmode.Snapshot
	ModeRevision int64
	Status       ApprovalStatus
	Requested    time.Time
	Expires      time.Time // zero: never
	Approvers    Approvers // as the policy was when the question was put
	Runner       string    // the subject whose host was attached then; empty: none was
	Votes        []Vote    // never changed in place
	Resolved     time.Time
	By           string
	Option       string
	Feedback     string
}

func (s State) clone() State {
	if s.Batch != nil {
		b := *s.Batch
		b.Calls = append([]Call(nil), b.Calls...)
		b.Approvals = append([]Approval(nil), b.Approvals...)
		b.Notices = append([]string(nil), b.Notices...)
		s.Batch = &b
	}
	s.Session.Notices = append([]string(nil), s.Session.Notices...)
	return s
}
