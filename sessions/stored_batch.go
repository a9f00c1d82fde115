package sessions

import (
	"fmt"
	"strconv"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// The fields of a batch's hash. A call's input and its result are written once;
// what changes of a call is small, so that the bytes of a transition don't grow
// with the batch.
const (
	fieldBatch     = "batch"
	fieldBatchHot  = "hot"
	fieldMessage   = "msg"
	prefixInput    = "i:"
	prefixCall     = "c:"
	prefixResult   = "r:"
	prefixApproval = "a:"
)

type storedBatch struct {
	ID         string `json:"id"`
	Number     uint64 `json:"n"`
	TurnID     string `json:"t,omitempty"`
	HostID     string `json:"h,omitempty"`
	ResponseID string `json:"r,omitempty"`
	Format     string `json:"f"`
	By         string `json:"by,omitempty"`
	Created    int64  `json:"c"`
	Calls      int    `json:"k"`
	Trace      string `json:"tp,omitempty"`
}

type storedBatchHot struct {
	Status    scheduler.BatchStatus `json:"s"`
	Stop      *scheduler.Stop       `json:"st,omitempty"`
	Notices   []string              `json:"no,omitempty"`
	Approvals int                   `json:"a,omitempty"`
	Completed int64                 `json:"c,omitempty"`
	Abandoned bool                  `json:"ab,omitempty"`
}

type storedInput struct {
	ID         string          `json:"i"`
	IDAssigned bool            `json:"ia,omitempty"`
	Name       string          `json:"n"`
	Tool       string          `json:"t"`
	Key        string          `json:"k"`
	Arguments  string          `json:"a"`
	Custom     bool            `json:"c,omitempty"`
	Fault      scheduler.Fault `json:"f,omitempty"`
}

type storedCall struct {
	State      scheduler.CallState `json:"s"`
	Decision   *scheduler.Decision `json:"d,omitempty"`
	Host       string              `json:"h,omitempty"`
	Hooks      []storedHook        `json:"hk,omitempty"`
	HooksAsked int64               `json:"ha,omitempty"`
	Approval   int                 `json:"a,omitempty"`
	Approved   bool                `json:"y,omitempty"`
	Counted    bool                `json:"b,omitempty"`
	Dispatched int64               `json:"di,omitempty"`
	Started    int64               `json:"st,omitempty"`
	Deadline   int64               `json:"dl,omitempty"`
	Report     string              `json:"r,omitempty"`
	Size       int                 `json:"z,omitempty"`
	Rendered   string              `json:"ro,omitempty"`
	Ref        string              `json:"rr,omitempty"`
	Told       int64               `json:"tt,omitempty"`
	Texts      int                 `json:"tn,omitempty"`
}

type storedHook struct {
	ID        string                `json:"i"`
	OnTimeout scheduler.HookVerdict `json:"t,omitempty"`
	Deadline  int64                 `json:"d"`
	Verdict   scheduler.HookVerdict `json:"v,omitempty"`
}

type storedApproval struct {
	Position     int                      `json:"p"`
	Kind         scheduler.ApprovalKind   `json:"k"`
	Tool         string                   `json:"t"`
	Subject      string                   `json:"s"`
	Plan         *storedSnapshot          `json:"pl,omitempty"`
	ModeRevision int64                    `json:"mr"`
	Status       scheduler.ApprovalStatus `json:"st"`
	Requested    int64                    `json:"rq"`
	Expires      int64                    `json:"ex,omitempty"`
	Approvers    *storedApprovers         `json:"av,omitempty"`
	Runner       string                   `json:"ru,omitempty"`
	Votes        []storedVote             `json:"vo,omitempty"`
	Resolved     int64                    `json:"rs,omitempty"`
	By           string                   `json:"by,omitempty"`
	Option       string                   `json:"o,omitempty"`
	Feedback     string                   `json:"fb,omitempty"`
}

type storedSnapshot struct {
	Text         string           `json:"t"`
	SHA256       string           `json:"h"`
	Revision     int64            `json:"r"`
	ModeRevision int64            `json:"mr"`
	PreviousMode permissions.Mode `json:"pm"`
}

// batchPatch is what a command wrote of its batch.
func batchPatch(b *scheduler.Batch, message []byte, fx *scheduler.Effects) store.Patch {
	set := store.Fields{fieldBatchHot: encode(storedBatchHot{
		Status: b.Status, Stop: b.Stop, Notices: b.Notices, Approvals: len(b.Approvals), Completed: millis(b.Completed),
		Abandoned: b.Abandoned,
	})}
	if fx.Submitted {
		set[fieldBatch] = encode(storedBatch{
			ID: b.ID, Number: b.Number, TurnID: b.TurnID, HostID: b.HostID, ResponseID: b.ResponseID,
			Format: b.Format, By: b.By, Created: millis(b.Created), Calls: len(b.Calls),
			Trace: b.Trace,
		})
		if message != nil {
			set[fieldMessage] = string(message)
		}
		for i := range b.Calls {
			set[prefixInput+strconv.Itoa(i)] = encode(storeInput(&b.Calls[i]))
		}
	}
	for i := range fx.Touched {
		set[prefixCall+strconv.Itoa(i)] = encode(storeCall(&b.Calls[i]))
	}
	for _, i := range fx.Ended {
		set[prefixResult+strconv.Itoa(i)] = encode(b.Calls[i].Result)
	}
	for _, list := range [][]int{fx.Raised, fx.Voted, fx.Resolved} {
		for _, k := range list {
			set[prefixApproval+strconv.Itoa(k)] = encode(storeApproval(&b.Approvals[k]))
		}
	}
	patch := store.Patch{Set: set}
	patchViews(b, fx, &patch)
	return patch
}

func storeInput(c *scheduler.Call) storedInput {
	return storedInput{
		ID: c.ID, IDAssigned: c.IDAssigned, Name: c.Name, Tool: c.Tool, Key: c.Key,
		Arguments: c.Arguments, Custom: c.Custom, Fault: c.Fault,
	}
}

func storeCall(c *scheduler.Call) storedCall {
	s := storedCall{
		State: c.State, Decision: c.Decision, Host: c.Host, Approval: c.Approval, Approved: c.Approved, Counted: c.Counted,
		Dispatched: millis(c.Dispatched), Started: millis(c.Started), Deadline: millis(c.Deadline),
		Report: c.Report, Size: c.Size, Told: millis(c.Told), Texts: c.Texts,
	}
	s.HooksAsked = millis(c.HooksAsked)
	for _, h := range c.Hooks {
		s.Hooks = append(s.Hooks, storedHook{ID: h.ID, OnTimeout: h.OnTimeout, Deadline: millis(h.Deadline), Verdict: h.Verdict})
	}
	if c.Rendered != nil {
		s.Rendered, s.Ref = c.Rendered.Output, c.Rendered.Ref
	}
	return s
}

func storeApproval(a *scheduler.Approval) storedApproval {
	s := storedApproval{
		Position: a.Position, Kind: a.Kind, Tool: a.Tool, Subject: a.Subject, ModeRevision: a.ModeRevision,
		Status: a.Status, Requested: millis(a.Requested), Expires: millis(a.Expires), Resolved: millis(a.Resolved),
		By: a.By, Option: a.Option, Feedback: a.Feedback,
		Approvers: storeApprovers(a.Approvers), Runner: a.Runner, Votes: storeVotes(a.Votes),
	}
	if p := a.Plan; p != nil {
		s.Plan = &storedSnapshot{Text: p.Text, SHA256: p.SHA256, Revision: p.Revision, ModeRevision: p.ModeRevision, PreviousMode: p.PreviousMode}
	}
	return s
}

// decodeBatch reads a batch, open or ended, and its message as it came.
func decodeBatch(fields store.Fields) (*scheduler.Batch, []byte, error) {
	var sb storedBatch
	var hot storedBatchHot
	if err := decodeField(fields, fieldBatch, &sb); err != nil {
		return nil, nil, err
	}
	if err := decodeField(fields, fieldBatchHot, &hot); err != nil {
		return nil, nil, err
	}
	b := &scheduler.Batch{
		ID: sb.ID, Number: sb.Number, TurnID: sb.TurnID, HostID: sb.HostID, ResponseID: sb.ResponseID, Format: sb.Format, By: sb.By,
		Created: fromMillis(sb.Created), Calls: make([]scheduler.Call, sb.Calls), Approvals: make([]scheduler.Approval, hot.Approvals),
		Status: hot.Status, Stop: hot.Stop, Notices: hot.Notices, Completed: fromMillis(hot.Completed), Abandoned: hot.Abandoned,
		Trace: sb.Trace,
	}
	for i := range b.Calls {
		if err := decodeCall(fields, i, &b.Calls[i]); err != nil {
			return nil, nil, err
		}
	}
	decodeViews(fields, b)
	for k := range b.Approvals {
		a, err := decodeApproval(fields, k)
		if err != nil {
			return nil, nil, err
		}
		b.Approvals[k] = a
	}
	var message []byte
	if m, ok := fields[fieldMessage]; ok {
		message = []byte(m)
	}
	return b, message, nil
}

func decodeCall(fields store.Fields, i int, into *scheduler.Call) error {
	n := strconv.Itoa(i)
	var in storedInput
	var c storedCall
	for _, err := range []error{
		decodeField(fields, prefixInput+n, &in), decodeField(fields, prefixCall+n, &c),
		decodeField(fields, prefixResult+n, &into.Result),
	} {
		if err != nil {
			return err
		}
	}
	into.Input = scheduler.Input{ID: in.ID, IDAssigned: in.IDAssigned, Name: in.Name, Arguments: in.Arguments, Custom: in.Custom, Fault: in.Fault}
	into.Tool, into.Key = in.Tool, in.Key
	into.State, into.Decision, into.Host, into.Approval = c.State, c.Decision, c.Host, c.Approval
	into.Approved, into.Counted, into.Report, into.Size = c.Approved, c.Counted, c.Report, c.Size
	into.Dispatched, into.Started, into.Deadline = fromMillis(c.Dispatched), fromMillis(c.Started), fromMillis(c.Deadline)
	into.Told, into.Texts = fromMillis(c.Told), c.Texts
	into.HooksAsked = fromMillis(c.HooksAsked)
	for _, h := range c.Hooks {
		into.Hooks = append(into.Hooks, scheduler.AskedHook{ID: h.ID, OnTimeout: h.OnTimeout, Deadline: fromMillis(h.Deadline), Verdict: h.Verdict})
	}
	if c.Ref != "" {
		into.Rendered = &scheduler.Rendered{Output: c.Rendered, Ref: c.Ref}
	}
	return nil
}

func decodeApproval(fields store.Fields, k int) (scheduler.Approval, error) {
	var s *storedApproval
	if err := decodeField(fields, prefixApproval+strconv.Itoa(k), &s); err != nil {
		return scheduler.Approval{}, err
	}
	if s == nil {
		return scheduler.Approval{}, fmt.Errorf("approval %d is missing", k)
	}
	a := scheduler.Approval{
		Number: k + 1, Position: s.Position, Kind: s.Kind, Tool: s.Tool, Subject: s.Subject, ModeRevision: s.ModeRevision,
		Status: s.Status, Requested: fromMillis(s.Requested), Expires: fromMillis(s.Expires), Resolved: fromMillis(s.Resolved),
		By: s.By, Option: s.Option, Feedback: s.Feedback,
		Approvers: s.Approvers.approvers(), Runner: s.Runner, Votes: readVotes(s.Votes),
	}
	if p := s.Plan; p != nil {
		a.Plan = &planmode.Snapshot{Text: p.Text, SHA256: p.SHA256, Revision: p.Revision, ModeRevision: p.ModeRevision, PreviousMode: p.PreviousMode}
	}
	return a, nil
}
