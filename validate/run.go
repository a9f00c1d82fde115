package validate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/session-gateway/gateway/client"
)

// lastWords is how long putting the session back may take when the validation
// itself is over.
const lastWords = 20 * time.Second

// run is a validation at work.
type run struct {
	Config
	limits   limits
	key      *client.Client // sends calls
	person   *client.Client // changes modes, prompts; nil: nobody may
	approver *client.Client // another person; nil: there is none
	decides  bool           // the key that sends calls may answer questions, too
	session  client.SessionDocument
	reminder string
	feed     *feed
	name     string // unlike that of every other validation
	calls    int    // so many ids were made up
	samples  []sample
	ran      client.Batch // the samples as the host ran them one by one
	undo     undo
	report   *Report
}

// Run validates. The report is whole where the error is nil; with an error the
// validation could not be run to its end, and the report has what came before.
// Whatever happens, the session is put back: ErrNotRestored says that it wasn't.
func Run(ctx context.Context, c Config) (Report, error) {
	report := Report{Session: c.Session, Observed: c.Observe > 0, Started: time.Now().UTC()}
	err := c.Validate()
	if err == nil {
		err = start(ctx, c.withDefaults(), &report)
	}
	report.conclude(time.Now().UTC())
	return report, err
}

func start(ctx context.Context, c Config, report *Report) error {
	r := &run{
		Config: c, limits: limits{claimWithin: c.ClaimWithin}, report: report,
		name: "validate-" + strings.ToLower(rand.Text()[:10]),
	}
	if err := r.connect(ctx); err != nil {
		return err
	}
	var err error
	if r.feed, err = watch(ctx, r.key, r.Session, c.Patience); err != nil {
		return err
	}
	defer r.feed.stop()
	if c.Observe > 0 {
		return r.observe(ctx)
	}
	if err = r.ready(ctx); err != nil {
		return err
	}
	err = r.probeAll(ctx)
	return errors.Join(err, r.putBack(ctx))
}

// connect reads what the rules need to know.
func (r *run) connect(ctx context.Context) error {
	var err error
	if r.key, err = r.dial(r.Key, r.Bases...); err != nil {
		return err
	}
	if r.ApproverKey != "" {
		if r.approver, err = r.dial(r.ApproverKey, r.Bases...); err != nil {
			return err
		}
	}
	if r.session, err = r.key.Session(ctx, r.Session); err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if r.session.Status != client.SessionDocumentStatusActive {
		return ErrClosed
	}
	plan, err := r.key.Plan(ctx, r.Session)
	if err != nil {
		return fmt.Errorf("read the reminder: %w", err)
	}
	r.reminder = plan.Reminder
	return nil
}

// ready says why probes can't be run.
func (r *run) ready(ctx context.Context) error {
	s := r.session
	switch {
	case s.OpenBatchID != nil || s.OpenTurnID != nil:
		return ErrBusy
	case len(s.Hosts) == 0:
		return ErrNoHost
	case s.MaxToolCalls != nil && *s.MaxToolCalls >= 0:
		return ErrBudget
	}
	may, err := r.may(ctx, r.key, sending)
	if err != nil {
		return err
	}
	if !may {
		return fmt.Errorf("%w: the key has to have host", ErrRole)
	}
	if err := r.findPerson(ctx); err != nil {
		return err
	}
	r.samples, err = r.choose()
	return err
}

// findPerson looks which key is a person's.
func (r *run) findPerson(ctx context.Context) (err error) {
	if r.decides, err = r.may(ctx, r.key, deciding); err != nil {
		return err
	}
	if r.decides {
		r.person = r.key
	}
	if r.approver == nil {
		return nil
	}
	may, err := r.may(ctx, r.approver, deciding)
	if err == nil && !may {
		return fmt.Errorf("%w: the approver's key has to have frontend", ErrRole)
	}
	r.person = r.approver
	return err
}

// right is something that only some roles may do, and that does nothing when it
// is tried on what does not exist.
type right func(ctx context.Context, c *client.Client, sid string) error

// nothing is an id that nobody has.
const nothing = "none"

func sending(ctx context.Context, c *client.Client, sid string) error {
	_, err := c.Claim(ctx, sid, nothing, client.ClaimRequest{HostID: nothing, Positions: &[]int{0}})
	return err
}

func deciding(ctx context.Context, c *client.Client, _ string) error {
	_, err := c.Respond(ctx, nothing, client.ApprovalResponse{OptionID: client.ApprovalResponseOptionIDReject})
	return err
}

// may says whether a key has a right. A role is asked for before it is looked
// whether the thing exists, so every other refusal says that it has.
func (r *run) may(ctx context.Context, c *client.Client, what right) (bool, error) {
	err := what(ctx, c, r.Session)
	if client.Is(err, client.CodeForbidden) {
		return false, nil
	}
	if p, ok := errors.AsType[*client.ProblemError](err); ok && p.Status >= http.StatusNotFound && p.Status < http.StatusInternalServerError {
		return true, nil // else it says who the caller isn't, or that the gateway is in trouble
	}
	if err != nil {
		return false, fmt.Errorf("ask for a key's roles: %w", err)
	}
	return true, nil
}
