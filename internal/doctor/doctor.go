// Package doctor looks at a deployment from inside and says what to change: at
// Redis, at clocks, and at the way from the public address to a stream. It makes
// one session, which it closes again, and changes nothing else.
package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/sessions/store"
)

// Level says how grave a finding is.
type Level int

// The levels. Warnings are for operators to judge; failures lose data or break
// clients.
const (
	Good Level = iota
	Warning
	Failure
)

// String is the level in a word.
func (l Level) String() string { return [...]string{"ok", "warn", "FAIL"}[l] }

// Finding is what one look found.
type Finding struct {
	Level  Level
	Check  string
	Says   string
	Change string // what to do; empty when nothing
}

// String is the finding in a line or two.
func (f Finding) String() string {
	line := fmt.Sprintf("%-4s %s: %s", f.Level, f.Check, f.Says)
	if f.Change != "" {
		line += "\n     → " + f.Change
	}
	return line
}

// Limits of what is well.
const (
	// patience is how long one look may take; a heartbeat is waited for longer.
	patience = 10 * time.Second
	// heartbeatWithin is a little more than the 15 s between heartbeats.
	heartbeatWithin = 20 * time.Second
	// maxOffset is half of what a commit's clock may be off.
	maxOffset = 500 * time.Millisecond
	// maxPublicOffset is coarser: the Date of an answer has whole seconds.
	maxPublicOffset = 2 * time.Second
	// slowTrip to Redis is most of a decision's time.
	slowTrip = 5 * time.Millisecond
	// certificateNotice is time enough to renew a certificate by hand.
	certificateNotice = 7 * 24 * time.Hour
	// fullAt is where an alert fires; from 85 % on nothing new is admitted.
	fullAt = 0.75
	// oldestRedis is the oldest version that the tests run on.
	oldestRedis = "7.0"
)

// Config says where to look. What is empty is not looked at.
type Config struct {
	Redis     store.Config // an empty URL: not looked at
	PublicURL string
	Key       string // with the role host or frontend
	Contract  []byte // this program's openapi.yaml
	Quick     bool   // don't wait for a heartbeat
	HTTP      *http.Client
}

// Run looks at everything and gives what it found, in order.
func Run(ctx context.Context, cfg Config) []Finding {
	d := &doctor{cfg: cfg}
	if cfg.Redis.URL != "" {
		d.redis(ctx)
	}
	if cfg.PublicURL != "" {
		d.public(ctx)
	}
	return d.found
}

// Worst is the gravest level of some findings.
func Worst(found []Finding) (worst Level) {
	for _, f := range found {
		worst = max(worst, f.Level)
	}
	return worst
}

type doctor struct {
	cfg   Config
	found []Finding
}

func (d *doctor) good(check, says string, args ...any) {
	d.found = append(d.found, Finding{Good, check, fmt.Sprintf(says, args...), ""})
}

func (d *doctor) warn(check, says, change string) {
	d.found = append(d.found, Finding{Warning, check, says, change})
}

func (d *doctor) fail(check, says, change string) {
	d.found = append(d.found, Finding{Failure, check, says, change})
}
