package scheduler

import (
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// Env is everything that a command is judged by and does not change.
type Env struct {
	Now   time.Time
	Tools *Registry
	// Policy holds the tenant's, the ancestors' and the session's rules. Plan
	// mode's rules are joined here, by the session's state at the moment.
	Policy *permissions.Policy
	// PlanShell says what plan mode does with shell commands.
	PlanShell planmode.Shell
	// AncestorMode is the strictest mode above the session; empty without parent.
	AncestorMode permissions.Mode
	// Hooks are asked before a call of the host's may start, all of them.
	Hooks []Hook
	// Approvers is who may answer a question that is put now.
	Approvers Approvers
	Memory    Memory
	Grants    Grants
	Outputs   Outputs
}

// Remembered is a started call that a later batch may repeat.
type Remembered struct {
	ID         string
	Key        string // hash of canonical name and arguments
	BatchID    string
	ResponseID string
	Replays    int
}

// Memory recalls the last started call with an id.
type Memory interface {
	Recall(id string) (Remembered, bool)
}

// Grant is what a person allowed for the rest of the session.
type Grant struct {
	Tool        string
	Fingerprint string // of the tool's declaration
	Key         string // permissions.Analysis.Key of the call
	Subject     string // for people
	By          string
	At          time.Time
}

// Grants says whether a grant is in force.
type Grants interface {
	Granted(tool, fingerprint, key string) bool
}

// Page is a part of a stored output.
type Page struct {
	Text   string
	Offset int
	Next   int // 0: this was the last
	Total  int
}

// Outputs are the stored outputs that read_output calls of the batch ask for,
// fetched before the command.
type Outputs interface {
	Page(ref string, offset, limit int) (Page, bool)
}
