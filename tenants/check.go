package tenants

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// MaxApprovers is how many distinct people one approval may want, whoever sets
// its policy: a question that needs more than a team has is never answered.
const MaxApprovers = 16

// Bounds of what a tenant sets. Beyond them a value is a mistake.
const (
	maxSubjects      = 100 // that may answer approvals
	maxHooks         = 16  // each may be told of every call
	maxHookURL       = 2048
	maxHookSecret    = 256
	maxHookTimeoutMS = 60_000 // a call waits so long
	maxLabels        = 32     // as many as a session has
	maxLabelBytes    = 256
	maxLimit         = 1_000_000_000
	maxStoredBytes   = 1 << 50
)

// hookSecretPrefix starts every secret of a hook.
const hookSecretPrefix = "whsec_"

// Fault is one thing that is wrong with a document, by JSON pointer.
type Fault struct {
	Path   string
	Detail string
}

// faults collects them.
type faults []Fault

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, Fault{Path: path, Detail: fmt.Sprintf(format, args...)})
}

// Check names what is wrong with settings, but for patterns: what these mean
// is not known here.
func (s *Settings) Check() []Fault {
	var wrong faults
	if s.PlanShell != "" && s.PlanShell != PlanShellDeny && s.PlanShell != PlanShellReadOnly {
		wrong.add("/plan_shell", "is not deny or read_only")
	}
	wrong = append(wrong, s.Approvers.Check()...)
	if len(s.Hooks) > maxHooks {
		wrong.add("/hooks", "are more than %d", maxHooks)
	}
	ids := make(map[string]bool)
	for i, h := range s.Hooks {
		at := fmt.Sprintf("/hooks/%d", i)
		if ids[h.ID] {
			wrong.add(at+"/id", "is there twice")
		}
		ids[h.ID] = true
		h.check(&wrong, at)
	}
	s.Limits.check(&wrong, "/limits")
	s.KeyLimits.Limits().check(&wrong, "/key_limits")
	if text, err := json.Marshal(s); err != nil || len(text) > MaxSettingsBytes {
		wrong.add("", "is over %d bytes", MaxSettingsBytes)
	}
	return wrong
}

// Check names what is wrong with a policy, below /approvers, wherever it is set.
func (a Approvers) Check() []Fault {
	var wrong faults
	if len(a.Roles) == 0 && len(a.Subjects) > 0 && a.Min > len(a.Subjects) {
		wrong.add("/approvers/min", "is more than there are subjects to answer")
	}
	if a.Min < 0 || a.Min > MaxApprovers {
		wrong.add("/approvers/min", "is not between 0 and %d", MaxApprovers)
	}
	if len(a.Subjects) > maxSubjects {
		wrong.add("/approvers/subjects", "are more than %d", maxSubjects)
	}
	for i, s := range a.Subjects {
		if err := CheckSubject(s); err != nil {
			wrong.add(fmt.Sprintf("/approvers/subjects/%d", i), "is not the name of a caller")
		}
	}
	for i, r := range a.Roles {
		if r != RoleFrontend && r != RoleAdmin {
			wrong.add(fmt.Sprintf("/approvers/roles/%d", i), "is not a role that answers approvals: %s or %s", RoleFrontend, RoleAdmin)
		}
	}
	return wrong
}

func (h Hook) check(wrong *faults, at string) {
	if !idPattern.MatchString(h.ID) {
		wrong.add(at+"/id", "does not match %s", idPattern)
	}
	if !hookURL(h.URL) {
		wrong.add(at+"/url", "is not an http or https URL without a user, of at most %d bytes", maxHookURL)
	}
	if len(h.Events) == 0 {
		wrong.add(at+"/events", "is empty")
	}
	for i, e := range h.Events {
		if !slices.Contains([]HookEvent{HookPreToolUse, HookPostToolUse, HookPostToolBatch, HookApprovalRequested}, e) {
			wrong.add(fmt.Sprintf("%s/events/%d", at, i), "is not an event")
		}
	}
	if !strings.HasPrefix(h.Secret, hookSecretPrefix) || len(h.Secret) > maxHookSecret {
		wrong.add(at+"/secret", "is not %s… of at most %d bytes; a hook that is there keeps its own if none is given",
			hookSecretPrefix, maxHookSecret)
	}
	if h.TimeoutMS < 0 || h.TimeoutMS > maxHookTimeoutMS {
		wrong.add(at+"/timeout_ms", "is not between 0 and %d", maxHookTimeoutMS)
	}
	if h.OnTimeout != "" && !slices.Contains([]HookVerdict{HookPass, HookAsk, HookDeny}, h.OnTimeout) {
		wrong.add(at+"/on_timeout", "is not pass, ask or deny")
	}
}

func hookURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil && len(s) <= maxHookURL
}

func (l Limits) check(wrong *faults, at string) {
	for _, n := range []struct {
		name       string
		value, top int64
	}{
		{"requests_per_minute", int64(l.RequestsPerMinute), maxLimit},
		{"batches_per_minute", int64(l.BatchesPerMinute), maxLimit},
		{"open_streams", int64(l.OpenStreams), maxLimit},
		{"sessions", int64(l.Sessions), maxLimit},
		{"stored_bytes", l.StoredBytes, maxStoredBytes},
	} {
		if n.value < -1 || n.value > n.top {
			wrong.add(at+"/"+n.name, "is not between -1 and %d", n.top)
		}
	}
}

// CheckID says whether a text may be the id of a tenant, a key or a hook.
func CheckID(id string) bool { return idPattern.MatchString(id) }

// Check names what is wrong with a new key, but for its secret.
func (k Key) Check(now time.Time) []Fault {
	var wrong faults
	if !CheckID(k.ID) {
		wrong.add("/id", "does not match %s", idPattern)
	}
	if err := CheckSubject(k.Subject); err != nil {
		wrong.add("/subject", "%s", strings.TrimPrefix(err.Error(), "subject: "))
	}
	if len(k.Roles) == 0 {
		wrong.add("/roles", "is empty: a key without a role can do nothing")
	}
	for i, r := range k.Roles {
		if !slices.Contains(AllRoles(), r) {
			wrong.add(fmt.Sprintf("/roles/%d", i), "is not one of %v", AllRoles())
		}
	}
	if !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(now) {
		wrong.add("/expires_at", "has passed")
	}
	k.Narrow.check(&wrong, k.Roles)
	return wrong
}

// check names what is wrong with a narrowing: who administers a tenant can't
// be kept to a part of it.
func (n *Narrow) check(wrong *faults, roles []Role) {
	if n == nil {
		return
	}
	if n.SessionID == "" && len(n.Labels) == 0 {
		wrong.add("/narrow", "has neither session_id nor labels")
	}
	if slices.Contains(roles, RoleAdmin) || slices.Contains(roles, RoleOperator) {
		wrong.add("/narrow", "does not go with the roles %s and %s", RoleAdmin, RoleOperator)
	}
	if len(n.Labels) > maxLabels {
		wrong.add("/narrow/labels", "are more than %d", maxLabels)
	}
	for key, value := range n.Labels {
		if key == "" || strings.Contains(key, "=") || len(key) > maxLabelBytes || len(value) > maxLabelBytes || !printable(key+value) {
			wrong.add("/narrow/labels", "a label has a key without = and a value, at most %d bytes each", maxLabelBytes)
			return
		}
	}
}
