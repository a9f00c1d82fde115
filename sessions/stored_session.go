package sessions

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// The fields of a session's hash. Each is written only when it changes; hot is
// what nearly every transition changes and stays under 2 KiB.
const (
	fieldSpec     = "spec"
	fieldHot      = "hot"
	fieldPlan     = "plan"
	fieldApproved = "approved"
	fieldNotices  = "notices"
	fieldLabels   = "labels"
	fieldTools    = "tools"
	fieldSealed   = "sealed"
	fieldRules    = "rules"
	fieldOpenTurn = "turn"
	fieldOutputs  = "outputs"
	prefixGrant   = "g:"
)

// ancestorFields are what a session reads of those above it.
var ancestorFields = []string{fieldRules}

type storedSpec struct {
	Runtime          scheduler.Runtime   `json:"rt"`
	SDK              bool                `json:"sdk,omitempty"`
	Agent            string              `json:"ag"`
	Parent           string              `json:"pa,omitempty"`
	Ancestors        []string            `json:"an,omitempty"`
	Locked           bool                `json:"lk,omitempty"`
	Cwd              string              `json:"cwd"`
	PlanModule       bool                `json:"pm"`
	PlanShell        tenants.PlanShell   `json:"ps,omitempty"`
	Approvals        string              `json:"ap"`
	Approvers        *tenants.Approvers  `json:"av,omitempty"`
	ApproversAbove   []tenants.Approvers `json:"aa,omitempty"`
	ApprovalTimeoutS int                 `json:"at"`
	ClaimTimeoutS    int                 `json:"ct"`
	StructuredSchema scheduler.RawJSON   `json:"so,omitempty"`
	MaxToolCalls     *int                `json:"mc,omitempty"`
	IdenticalCalls   int                 `json:"lc"`
	CallsPerTurn     int                 `json:"lt"`
	ToolOutputChars  int                 `json:"ot"`
	BatchOutputChars int                 `json:"ob"`
	IdleTTLS         int                 `json:"it"`
	CreatedAt        int64               `json:"ca"`
}

type storedHot struct {
	Status        string           `json:"s"`
	Mode          permissions.Mode `json:"m"`
	Previous      permissions.Mode `json:"mp,omitempty"`
	ModeRevision  int64            `json:"mr"`
	PlanRevision  int64            `json:"pr"`
	EnteredBy     string           `json:"pb,omitempty"`
	EnteredAt     int64            `json:"pt,omitempty"`
	Used          int              `json:"u"`
	TurnID        string           `json:"ti,omitempty"`
	TurnCalls     int              `json:"tc,omitempty"`
	RowKey        string           `json:"rk,omitempty"`
	RowCount      int              `json:"rc,omitempty"`
	RowResult     string           `json:"rr,omitempty"`
	Batches       uint64           `json:"b"`
	Turns         uint64           `json:"tn,omitempty"`
	TurnText      int              `json:"tx,omitempty"` // bytes said in the open turn
	ToolsRevision int64            `json:"tr"`
	RulesRevision int64            `json:"rl"`
	Remembered    uint64           `json:"rm"`
	Fences        int64            `json:"fe,omitempty"`
	Updated       int64            `json:"ua"`
	Closed        int64            `json:"cl,omitempty"`
	BatchFrom     uint64           `json:"bf,omitempty"`
	Marks         []storedMark     `json:"lm,omitempty"`
	Settled       string           `json:"st,omitempty"` // the commit that changed a settled field last; see movingFields
}

type storedMark struct {
	Seq uint64 `json:"s"`
	At  int64  `json:"a"`
}

type storedOutput struct {
	Ref  string `json:"r"`
	Size int    `json:"n"`
}

type storedApproved struct {
	Text string `json:"t"`
	By   string `json:"b"`
	At   int64  `json:"a"`
}

type storedGrant struct {
	Tool        string `json:"t"`
	Fingerprint string `json:"f"`
	Key         string `json:"k"`
	Subject     string `json:"s"`
	By          string `json:"b"`
	At          int64  `json:"a"`
}

type storedMemory struct {
	Key        string `json:"k"`
	BatchID    string `json:"b"`
	ResponseID string `json:"r,omitempty"`
	Replays    int    `json:"x,omitempty"`
	Number     uint64 `json:"n"`
}

// storedMode is the value of a session's mode key: what descendants check.
type storedMode struct {
	Mode          permissions.Mode `json:"m"`
	ModeRevision  int64            `json:"r"`
	Status        string           `json:"s"`
	RulesRevision int64            `json:"l"`
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// encode writes a stored or an API form. Only types that always marshal are
// given to it.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("sessions: encode %T: %v", v, err))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (d *document) storedHot() storedHot {
	s := &d.state.Session
	h := storedHot{
		Status: d.status, Mode: s.Mode, Previous: s.Previous, ModeRevision: s.ModeRevision,
		PlanRevision: s.Plan.Revision, EnteredBy: s.Plan.EnteredBy, EnteredAt: millis(s.Plan.EnteredAt),
		Used: s.Used, TurnID: s.Turn.ID, TurnCalls: s.Turn.Calls,
		RowKey: s.Turn.Row.Key, RowCount: s.Turn.Row.Count, RowResult: s.Turn.Row.Result,
		Batches: d.batches, ToolsRevision: d.toolsRevision, RulesRevision: d.rulesRevision,
		Remembered: d.memory.next, Fences: s.Fences, Updated: millis(d.updated), Closed: millis(d.closed), Turns: d.turns,
		BatchFrom: d.batchFrom, Marks: d.marks.stored(), Settled: d.settled,
	}
	if s.Open != nil {
		h.TurnText = s.Open.TextBytes
	}
	return h
}

func (d *document) mode() storedMode {
	return storedMode{
		Mode: d.state.Session.Mode, ModeRevision: d.state.Session.ModeRevision,
		Status: d.status, RulesRevision: d.rulesRevision,
	}
}

func (s *spec) stored() storedSpec {
	return storedSpec{
		Runtime: s.Runtime, SDK: s.SDK, Agent: s.Agent, Parent: s.Parent, Ancestors: s.Ancestors, Locked: s.Locked,
		Cwd: s.Cwd, PlanModule: s.PlanModule, PlanShell: s.PlanShell, Approvals: s.Approvals, Approvers: s.Approvers, ApproversAbove: s.ApproversAbove, ApprovalTimeoutS: s.ApprovalTimeoutS,
		ClaimTimeoutS: s.ClaimTimeoutS, StructuredSchema: s.StructuredSchema, MaxToolCalls: s.MaxToolCalls,
		IdenticalCalls: s.Loop.IdenticalCalls, CallsPerTurn: s.Loop.CallsPerTurn,
		ToolOutputChars: s.Limits.ToolOutputChars, BatchOutputChars: s.Limits.BatchOutputChars,
		IdleTTLS: s.IdleTTLS, CreatedAt: millis(s.CreatedAt),
	}
}

// patch is what of the session's hash a commit changes; before is nil for a new
// session.
func (d *document) patch(before *document, commit string) store.Patch {
	p := store.Patch{Set: store.Fields{}}
	if before == nil {
		before = &document{}
		p.Set[fieldSpec] = encode(d.spec.stored())
	}
	p.Del = d.patchSettled(before, p.Set)
	if len(p.Set)+len(p.Del) > 0 || d.settled == "" {
		d.settled = commit
	}
	p.Set[fieldHot] = encode(d.storedHot())
	if s := &d.state.Session; len(s.Notices) != len(before.state.Session.Notices) {
		p.Set[fieldNotices] = encode(s.Notices)
	}
	p.Del = append(p.Del, d.patchHost(before, p.Set)...)
	d.patchOpenTurn(before, &p)
	return p
}

// listOrEmpty keeps null out of JSON lists.
func listOrEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
