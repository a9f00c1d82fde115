package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/session-gateway/gateway/audit"
)

// auditCommand is `gateway audit`.
type auditCommand struct {
	Export auditExportCommand `cmd:"" help:"Write a tenant's audit log to standard output."`
	Verify auditVerifyCommand `cmd:"" help:"Say whether an audit log is what was sealed, and where it is not."`
}

// auditSource is where an audit log is read from.
type auditSource struct {
	URL string `default:"http://127.0.0.1:8080" help:"The gateway."`
	Key Secret `placeholder:"KEY" help:"A key with the role admin of the tenant; better given in the environment."`
	trustFlags
	Since time.Time `placeholder:"TIME" help:"Only what was written from then on (RFC 3339)."`
}

func (s *auditSource) export(ctx context.Context, w io.Writer) error {
	c, err := s.connect(s.URL, s.Key)
	if err != nil {
		return err
	}
	if err := c.Audit(ctx, s.Since, w); err != nil {
		return fmt.Errorf("export the audit log: %w", err)
	}
	return nil
}

// auditExportCommand is `gateway audit export`.
type auditExportCommand struct {
	auditSource
}

// Run exports the log.
func (a *auditExportCommand) Run(ctx context.Context) error { return a.export(ctx, os.Stdout) }

// auditVerifyCommand is `gateway audit verify`.
type auditVerifyCommand struct {
	auditSource
	File     string   `arg:"" optional:"" placeholder:"FILE" help:"An export; - is standard input. Without it the gateway is asked."`
	AuditKey Secret   `placeholder:"KEY" help:"What seals are signed with (--audit-key of serve); better given in the environment. Without it signatures are not checked."`
	Expect   []string `placeholder:"SUM" help:"Heads that an earlier verification printed: they have to be there still."`
	JSON     bool     `name:"json" help:"Print the report as JSON."`
}

// errNotIntact says that a log is not what was sealed. The report says where.
var errNotIntact = errors.New("the audit log is not intact")

// Run verifies a log.
func (a *auditVerifyCommand) Run(ctx context.Context) error {
	key, err := auditKey(a.AuditKey)
	if err != nil {
		return err
	}
	report, err := a.verify(ctx, audit.Verifier{Key: key, Expect: a.Expect})
	if err != nil {
		return err
	}
	if err := a.print(report, key); err != nil {
		return err
	}
	if !report.Intact() {
		return errNotIntact
	}
	return nil
}

// verify reads from the file, or from the gateway as it is downloaded.
func (a *auditVerifyCommand) verify(ctx context.Context, v audit.Verifier) (*audit.Report, error) {
	switch a.File {
	case "":
		r, w := io.Pipe()
		go func() { w.CloseWithError(a.export(ctx, w)) }() // ends with the reader at the latest
		report, err := v.Verify(r)
		return report, errors.Join(err, r.Close())
	case "-":
		return v.Verify(os.Stdin)
	default:
		f, err := os.Open(a.File)
		if err != nil {
			return nil, fmt.Errorf("open export: %w", err)
		}
		report, err := v.Verify(f)
		return report, errors.Join(err, f.Close())
	}
}

func (a *auditVerifyCommand) print(r *audit.Report, key audit.Key) error {
	if a.JSON {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return fmt.Errorf("encode report: %w", err)
		}
		return say(os.Stdout, string(text))
	}
	lines := []string{fmt.Sprintf("%d entries under %d seals, %d not sealed yet", r.Entries-r.Unsealed, r.Seals, r.Unsealed)}
	switch {
	case !key.Given():
		lines = append(lines, "signatures were not checked: there was no --audit-key")
	case r.Seals > 0 && len(r.Breaks) == 0:
		lines = append(lines, "every seal is signed with the key")
	}
	for _, b := range r.Breaks {
		lines = append(lines, fmt.Sprintf("BROKEN at %s %s: %s", b.Log, b.ID, b.Why))
	}
	for _, sum := range r.Missing {
		lines = append(lines, "MISSING: no seal has the sum "+sum)
	}
	for _, log := range slices.Sorted(maps.Keys(r.Heads)) {
		lines = append(lines, "head of "+log+": "+r.Heads[log])
	}
	for _, line := range lines {
		if err := say(os.Stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// auditKey is the key of a setting; none is the key that signs nothing.
func auditKey(secret Secret) (audit.Key, error) {
	if secret == "" {
		return audit.Key{}, nil
	}
	key, err := audit.NewKey([]byte(secret))
	if err != nil {
		return audit.Key{}, fmt.Errorf("--audit-key: %w", err)
	}
	return key, nil
}
