package validate

import (
	"fmt"
	"slices"
	"time"
)

// Verdict is what a validation came to.
type Verdict string

// The verdicts. A violation is one also where much could not be shown.
const (
	Conforming Verdict = "conforming"
	Violations Verdict = "violations"
	NotRun     Verdict = "not_run" // a check failed to be made, or nothing was shown
)

// Outcome is what a check came to.
type Outcome string

// The outcomes of a check.
const (
	Passed   Outcome = "passed"
	Violated Outcome = "violated"
	NotShown Outcome = "not_shown" // there was nothing to show it with; Reason says why
	Failed   Outcome = "failed"    // it could not be made; Reason is the error
)

// Violation is one breach of a rule.
type Violation struct {
	Code     Code   `json:"code"`
	Party    Party  `json:"party"`
	Session  string `json:"session_id"`
	BatchID  string `json:"batch_id,omitempty"`
	Position *int   `json:"position,omitempty"`
	CallID   string `json:"call_id,omitempty"`
	Detail   string `json:"detail"`
}

// String is the violation in one line.
func (v Violation) String() string {
	where := v.Session
	if v.BatchID != "" {
		where = v.BatchID
	}
	if v.Position != nil {
		where += fmt.Sprintf(" call %d", *v.Position)
	}
	return fmt.Sprintf("%s (%s): %s: %s", v.Code, v.Party, where, v.Detail)
}

// Check is one thing that was looked at.
type Check struct {
	Name       string      `json:"name"`
	Shows      string      `json:"shows"`
	Outcome    Outcome     `json:"outcome"`
	Reason     string      `json:"reason,omitempty"` // why it, or a part of it, was not shown
	Violations []Violation `json:"violations"`
	Seconds    float64     `json:"seconds"`
}

// Report is what a validation found.
type Report struct {
	Session  string    `json:"session_id"`
	Observed bool      `json:"observed"` // only watched
	Started  time.Time `json:"started_at"`
	Ended    time.Time `json:"ended_at"`
	Verdict  Verdict   `json:"verdict"`
	Checks   []Check   `json:"checks"`
}

// add notes a check.
func (r *Report) add(c Check) {
	if len(c.Violations) > 0 {
		c.Outcome = Violated
	}
	if c.Violations == nil {
		c.Violations = []Violation{}
	}
	r.Checks = append(r.Checks, c)
}

// has says whether a violation was noted already, however its detail counts.
func (r *Report) has(v Violation) bool {
	same := func(o Violation) bool {
		return o.Code == v.Code && o.BatchID == v.BatchID && equal(o.Position, v.Position)
	}
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return slices.ContainsFunc(c.Violations, same) })
}

// conclude gives the verdict on all checks. A breach is one whatever else could
// not be looked at.
func (r *Report) conclude(now time.Time) {
	came := func(o Outcome) bool {
		return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Outcome == o })
	}
	r.Ended, r.Verdict = now, NotRun
	switch {
	case came(Violated):
		r.Verdict = Violations
	case came(Failed):
	case came(Passed):
		r.Verdict = Conforming
	}
}
