package api

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// The audit log is told of a key's refused requests once in a while: a client
// that keeps trying is one thing to know, and must not fill the log.
const (
	refusalEvery    = time.Minute
	refusalsTracked = 4096 // keys
)

// VisitGetAuditResponse writes the export.
func (v streamed) VisitGetAuditResponse(w http.ResponseWriter) error { return v(w) }

// GetAudit serves GET /v1/audit.
func (s *server) GetAudit(ctx context.Context, req contract.GetAuditRequestObject) (contract.GetAuditResponseObject, error) {
	since := valueOr(req.Params.Since, time.Time{})
	return streamed(func(w http.ResponseWriter) error {
		t := ndjson{w: w}
		for line, err := range s.service.Audit(ctx, callerOf(ctx), since) {
			if err == nil {
				err = t.line(line)
			}
			if err != nil {
				return err // cut off where lines were sent: the reader must see that it is not whole
			}
		}
		t.begin() // a tenant that has done nothing has an empty log
		return nil
	}), nil
}

// administers says whether an operation changes tenants, settings or keys.
func (op *operation) administers() bool {
	return strings.HasPrefix(op.route.Path, "/v1/admin/") && op.route.Method != http.MethodGet
}

// account writes what an administrator is about to do before it is done, into
// the log of the tenant that it is done to and into the administrator's own. An
// act that fails is there, too; one that is not there was not done.
func (s *server) account(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if q.operation.administers() {
			act := audit.Act{Type: audit.AdminAct, Operation: q.operation.id, Target: r.URL.Path}
			for _, tenant := range concerned(r, q.caller) {
				if err := s.service.Note(r.Context(), q.caller, tenant, act); err != nil {
					s.fail(w, r, err)
					return
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// concerned are the tenants whose logs tell of an administrator's act. Who is no
// operator can do nothing to another tenant, and must not fill its log either.
func concerned(r *http.Request, c tenants.Caller) []string {
	to := chi.URLParam(r, "tenant")
	if to == "" || to == c.Tenant || !c.Is(tenants.RoleOperator) {
		return []string{c.Tenant}
	}
	return []string{c.Tenant, to}
}

// refusals is when each key's last refusal was noted.
type refusals struct{ last *lru.Cache[string, time.Time] }

func newRefusals() (*refusals, error) {
	last, err := lru.New[string, time.Time](refusalsTracked)
	return &refusals{last: last}, err
}

// due says whether a key's refusal is to be noted, and takes it as noted.
func (f *refusals) due(principal string, now time.Time) bool {
	if at, ok := f.last.Get(principal); ok && now.Sub(at) < refusalEvery {
		return false
	}
	f.last.Add(principal, now)
	return true
}

// noteRefusal tells the audit log that a key asked for what it may not. Nothing
// was done, so that it can't be told is logged and changes nothing.
func (s *server) noteRefusal(ctx context.Context, operation, path string) {
	q := requestOf(ctx)
	if !s.refusals.due(q.caller.Principal(), time.Now()) {
		return
	}
	act := audit.Act{Type: audit.RequestRefused, Operation: operation, Target: path, Reason: string(sessions.CodeForbidden)}
	if err := s.service.Note(ctx, q.caller, q.caller.Tenant, act); err != nil {
		s.log.WarnContext(ctx, "a refusal is not in the audit log",
			slog.String("request_id", q.id), slog.Any("error", err))
	}
}
