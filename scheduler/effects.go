package scheduler

import "github.com/session-gateway/gateway/permissions"

// Effects are what a command's commit has to write and announce beside the new
// state, in the order in which things happened.
type Effects struct {
	TurnStarted bool     // the open turn is new
	TurnNotices []string // that it takes over
	Said        string   // in the open turn
	Submitted   bool     // the batch is new
	Completed   bool     // the batch is terminal now
	Lost        *HostLoss
	Attached    bool // the lease is new
	ModeChange  *ModeChange
	PlanUpdated bool
	Claimed     []int
	Progress    *Told
	Heard       []HookWord // that counted
	Hooked      []int      // calls that wait for hooks now
	Cancelled   []Cancellation
	Ended       []int
	Late        []int // results that came too late
	Raised      []int // approvals, by index
	Voted       []int // approvals that wait for more answers, by index
	Resolved    []int // approvals, by index
	Dispatched  []int
	Touched     map[int]bool // positions whose call changed
	Remembered  []Remembered
	Granted     []Grant
	Stored      []StoredOutput
	Offloaded   []Offload
	Unviewed    []int // positions whose runtime view is gone
	BatchView   bool  // the batch's runtime view is gone
	TurnEnded   *TurnEnd
}

// ModeChange is a change of the session's own mode.
type ModeChange struct {
	From, To permissions.Mode
	By       string
}

// Cancellation tells a host that a dispatched call is not to be run any more.
type Cancellation struct {
	Position int
	Reason   string
}

// StoredOutput is an output kept whole beside the ledger.
type StoredOutput struct {
	Ref  string
	Text string
}

// Offload names an output that the batch's limit put aside.
type Offload struct {
	Position int
	Ref      string
	Size     int // characters
}

// Changed says whether the command changed anything.
func (e *Effects) Changed() bool {
	return e.Submitted || e.Completed || e.ModeChange != nil || e.PlanUpdated || len(e.Touched) > 0 ||
		len(e.Late) > 0 || len(e.Raised) > 0 || len(e.Voted) > 0 || len(e.Resolved) > 0 || e.Lost != nil || e.Attached ||
		e.TurnStarted || e.Said != "" || e.TurnEnded != nil
}

// Loss is why a host is not attached any more.
type Loss string

// The losses of a host.
const (
	LossExpired       Loss = "expired"        // it did not renew its lease
	LossReplaced      Loss = "replaced"       // a newer one attached
	LossDetached      Loss = "detached"       // it left
	LossSessionClosed Loss = "session_closed" // there is nothing left to run
)

// HostLoss is a lease that ended.
type HostLoss struct {
	Host   string
	Fence  int64
	Reason Loss
}

// Told is a host's word about a call that runs, or more time for it.
type Told struct {
	Position int
	Text     string
}

// transition is a command at work on its own copy of the state.
type transition struct {
	env        Env
	s          *Session
	b          *Batch
	fx         Effects
	policy     *permissions.Policy
	policyOn   bool                    // plan mode was on when policy was joined
	turnBefore Turn                    // what a rejected batch leaves standing
	malformed  map[int]error           // submitted arguments that are no JSON object
	analyses   []*permissions.Analysis // by position, made when needed
	decided    []int64                 // by position: the mode revision, plus one, at which this command decided
}

func begin(env Env, s State) (*transition, *State) {
	out := s.clone()
	t := &transition{env: env, s: &out.Session, b: out.Batch}
	t.fx.Touched = map[int]bool{}
	t.malformed = map[int]error{}
	return t, &out
}

func (t *transition) touch(i int) *Call {
	t.fx.Touched[i] = true
	return &t.b.Calls[i]
}
