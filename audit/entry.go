package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Entry is what one request did, or what time did by itself.
type Entry struct {
	Time    string `json:"time"` // RFC 3339, UTC, milliseconds
	Session string `json:"session_id,omitempty"`
	// Head is the last event of the session's log behind this entry, with the
	// whole hash: the log's history up to there is the one this entry speaks of.
	Head  string `json:"head,omitempty"`
	Actor Actor  `json:"actor"`
	Acts  []Act  `json:"acts"`
}

// Actor is who did it. The zero value is the gateway: a time that was over.
type Actor struct {
	Subject string `json:"subject,omitempty"`
	Key     string `json:"key,omitempty"` // the id of the key, not the key
}

// Act is one thing that was done or decided. Type says which of the fields it
// has.
type Act struct {
	Type     Type            `json:"type"`
	BatchID  string          `json:"batch_id,omitempty"`
	CallID   string          `json:"call_id,omitempty"`
	Position *int            `json:"position,omitempty"`
	Tool     string          `json:"tool,omitempty"`
	Decision json.RawMessage `json:"decision,omitempty"` // as on the call's result
	Reason   string          `json:"reason,omitempty"`

	ApprovalID string `json:"approval_id,omitempty"`
	Status     string `json:"status,omitempty"`
	OptionID   string `json:"option_id,omitempty"`

	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Revision int64  `json:"revision,omitempty"`

	// Operation is an operation of openapi.yaml, Target what its path names.
	Operation string `json:"operation,omitempty"`
	Target    string `json:"target,omitempty"`
}

// Type is what kind of thing was done.
type Type string

// What is done, and the fields that say more.
const (
	SessionCreated   Type = "session.created"   // To: its approval mode
	SessionClosed    Type = "session.closed"    //
	ModeChanged      Type = "mode.changed"      // From, To, Revision
	RulesChanged     Type = "rules.changed"     // Revision
	ToolsChanged     Type = "tools.changed"     // Revision
	GrantGiven       Type = "grant.given"       // Target: the grant, Tool
	GrantRevoked     Type = "grant.revoked"     // Target: the grant, Tool
	CallDecided      Type = "call.decided"      // BatchID, CallID, Position, Tool, Decision
	CallRefused      Type = "call.refused"      // the same, and Reason: it ended without being started
	ApprovalVoted    Type = "approval.voted"    // ApprovalID, OptionID
	ApprovalResolved Type = "approval.resolved" // ApprovalID, Status, OptionID
	AdminAct         Type = "admin.act"         // Operation, Target; written before it is done
	RequestRefused   Type = "request.refused"   // Operation, Target, Reason: a known key that may not
)

// hash is what a seal keeps of an entry: of its id and of its bytes as stored.
func hash(id string, raw []byte) string {
	h := sha256.New()
	h.Write([]byte(id))
	h.Write([]byte{0})
	h.Write(raw)
	return hex.EncodeToString(h.Sum(nil))
}
