package store

import (
	"errors"
	"time"

	"github.com/session-gateway/gateway/stream"
)

// Errors of the store. Everything else is an outage of Redis and wraps
// ErrUnavailable.
var (
	// ErrNotFound: no such document.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the head, an ancestor or the document's absence is not what
	// the commit was decided against. Reload, decide again.
	ErrConflict = errors.New("document changed since it was read")
	// ErrIdempotent: an idempotency record for this key exists. Read it.
	ErrIdempotent = errors.New("idempotency record exists")
	// ErrClockSkew: the commit's time is more than a second off Redis TIME.
	ErrClockSkew = errors.New("commit time is off")
	// ErrNewerSchema: the stored document was written by a newer build.
	ErrNewerSchema = errors.New("document has a newer schema")
	// ErrNotReplicated: the commit stands, but too few replicas have it yet. A
	// repetition, or Confirm, answers nil once they have.
	ErrNotReplicated = errors.New("not replicated yet")
	// ErrUnavailable: Redis did not answer, or refused to write.
	ErrUnavailable = errors.New("store unavailable")
	// ErrFull: memory is over the admission threshold (85 % of maxmemory).
	ErrFull = errors.New("store is full")
	// ErrInvalid: the request contradicts itself (a commit whose events are not
	// sealed behind its head, a field name that is the store's own) and nothing
	// was sent; or, at Open, a configuration or server that can't be used.
	ErrInvalid = errors.New("invalid store request")
	// ErrPosition: a list position that this store did not give.
	ErrPosition = errors.New("invalid list position")
)

// Schema is the version of the stored form that this build writes.
const Schema = 1

// Fields is one hash of a document: field name to value.
type Fields map[string]string

// Patch changes a hash.
type Patch struct {
	Set Fields
	Del []string
}

// Remember is calls to be remembered. They are kept in two generations, so that
// the oldest can be forgotten without reading who they are.
type Remember struct {
	Calls      Fields // by id
	Generation uint64 // 0, 1, 2 …: its hash takes the place of the one before the last
	Begins     bool   // the generation is new: what its hash held is forgotten
}

// Record is a session as stored. The store does not interpret the fields.
type Record struct {
	Head   stream.ID
	Mode   string    // what descendants check: changes with mode, rules or status
	Doc    Fields    // hot state, policy, tools, plan, …
	Open   Fields    // the open batch with its approvals; empty when none is open
	Lease  *Lease    // of the attached host; nil: there is none
	Memory [2]Fields // what is remembered of Ref.Recall, in both generations
	Newer  bool      // written by a newer build: to be read, not to be changed
	// Ancestors, parent first. An ancestor that can't be read has Missing set.
	Ancestors []Ancestor
}

// Ancestor is what a session needs of a session above it.
type Ancestor struct {
	Session string
	Mode    string
	Doc     Fields // the fields named in Ref.AncestorFields
	Missing bool
}

// Ref names a session and its ancestors (parent first, at most 8).
type Ref struct {
	Topic          stream.Topic
	Fields         []string // of its document to read; none: all
	Ancestors      []string
	AncestorFields []string // the fields of each ancestor's document to read
	Recall         []string // ids of calls to look up in the memory
}

// Expect is an ancestor's mode value that the commit was decided against
// ("" for one that was missing).
type Expect struct {
	Session string
	Mode    string
}

// Idempotency is a stored answer. It is kept for TTL, also when the session
// is deleted meanwhile.
type Idempotency struct {
	Scope    string // hash over principal, route and key
	BodyHash string // hash of the request's body
	Status   int
	Answer   []byte
	TTL      time.Duration
}

// TurnPatch changes one of a session's turns.
type TurnPatch struct {
	Number uint64
	Set    Fields
	Text   string // appended to what was said, so that its cost is its own length
	Drop   uint64 // deletes the turn with this number, the oldest of too many. 0: none
}

// Commit is one transition: check, write, append, announce, in one script.
type Commit struct {
	ID        string // kept with the last 16; a second run answers as the first did
	Topic     stream.Topic
	Now       time.Time
	Create    bool      // the document must not exist
	Expect    stream.ID // else: its head must be this, in full
	Ancestors []Expect

	Mode   *string // new mode value
	Doc    Patch
	Open   Patch
	Memory Remember
	Lease  *LeaseChange // nil: it stays as it is
	// Archive renames the open batch, as patched, to its number. 0: not.
	Archive uint64
	// Drop deletes an archived batch, the oldest of too many. 0: none.
	Drop uint64
	// Batches patches batches that are archived already (a late result's mark).
	Batches     map[uint64]Patch
	Outputs     map[string][]byte // output objects, by ref
	DropOutputs []string          // refs of older ones that make room for them
	Turn        *TurnPatch        // nil: no turn is touched
	Audit       string            // an entry of the tenant's audit log; empty: none
	Events      []stream.Event    // sealed behind Expect; may be empty only with Idempotency set

	Retention Retention // of the log

	// Deadline is the session's earliest deadline; nil removes the entry.
	Deadline *time.Time
	// Outbox is what is to be told outside; nil: nothing is.
	Outbox *Outbox
	// DueNow are sessions of the same bucket whose deadline becomes now
	// (descendants of a closing session).
	DueNow []string

	IndexSession    bool     // add to the tenant's list of sessions (with Create)
	Parent          string   // with Create: add to this session's children
	OpenApprovals   []string // approval ids that become pending
	ClosedApprovals []string // approval ids that are not pending any more

	Idempotency *Idempotency

	// Unconfirmed does not wait for replicas: nobody is told that it is done.
	// What is told later waits for everything before it.
	Unconfirmed bool
}
