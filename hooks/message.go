package hooks

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

// Message is one webhook for one receiver.
type Message struct {
	Tenant string
	Hook   tenants.Hook // where it goes, and the secret that signs it
	Event  tenants.HookEvent
	ID     string // webhook-id; the same for each sending
	Body   []byte // JSON
	// For is how long it may be sent and answered, from now.
	For time.Duration
	// Done is told what was answered, if something was. It is called by the
	// goroutine that sent the message, with a context that outlives the request.
	Done func(context.Context, Answer)
}

// key tells messages apart.
func (m *Message) key() [2]string { return [2]string{m.Tenant, m.ID} }

// Answer is what a receiver said.
type Answer struct {
	Verdict tenants.HookVerdict // of a PreToolUse; anything but pass and ask denies
	Reason  string
}

// Result is what became of a message, for whoever counts.
type Result string

// The results.
const (
	Answered Result = "answered"
	Failed   Result = "failed"  // no answer, or another status than 2xx
	Refused  Result = "refused" // there was no room for it
)
