package admin

import (
	"context"
	"errors"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// ExportLine is one line of an export.
type ExportLine struct {
	Type      string `json:"type"` // tenant, settings, key, session, turn, batch
	SessionID string `json:"session_id,omitempty"`
	Data      any    `json:"data"`
}

// exporter is the caller that a tenant's sessions are read as.
func exporter(tenant string) tenants.Caller {
	return tenants.Caller{Tenant: tenant, Roles: []tenants.Role{tenants.RoleViewer}}
}

// Export yields what there is of a tenant: itself, its settings and keys
// (without anything secret), and each session with its turns and its ended
// batches. What changes meanwhile is told as it was before or as it is then.
func (s *Service) Export(ctx context.Context, c tenants.Caller, tenant string, yield func(ExportLine) error) error {
	t, err := s.get(ctx, c, tenant)
	if err != nil {
		return err
	}
	lines := []ExportLine{{Type: "tenant", Data: s.tenantView(t)}, {Type: "settings", Data: settingsView(t)}}
	for _, k := range t.Keys {
		lines = append(lines, ExportLine{Type: "key", Data: s.keyView(tenant, k)})
	}
	for _, line := range lines {
		if err := yield(line); err != nil {
			return err
		}
	}
	return s.exportSessions(ctx, exporter(tenant), yield)
}

func (s *Service) exportSessions(ctx context.Context, c tenants.Caller, yield func(ExportLine) error) error {
	return eachPage(func(cursor string) (sessions.Page[sessions.Session], error) {
		return s.sessions.List(ctx, c, sessions.SessionFilter{Cursor: cursor})
	}, func(doc sessions.Session) error {
		err := s.exportSession(ctx, c, doc, yield)
		var p *sessions.Problem
		if errors.As(err, &p) && p.Code == sessions.CodeNotFound {
			return nil // it went meanwhile
		}
		return err
	})
}

func (s *Service) exportSession(ctx context.Context, c tenants.Caller, doc sessions.Session, yield func(ExportLine) error) error {
	if err := yield(ExportLine{Type: "session", Data: doc}); err != nil {
		return err
	}
	err := eachPage(func(cursor string) (sessions.Page[sessions.Turn], error) {
		return s.sessions.Turns(ctx, c, doc.ID, 0, cursor)
	}, func(turn sessions.Turn) error {
		return yield(ExportLine{Type: "turn", SessionID: doc.ID, Data: turn})
	})
	if err != nil {
		return err
	}
	return s.sessions.Transcript(ctx, c, doc.ID, func(line sessions.TranscriptLine) error {
		return yield(ExportLine{Type: "batch", SessionID: doc.ID, Data: line})
	})
}

// eachPage goes through all pages of a list.
func eachPage[T any](read func(cursor string) (sessions.Page[T], error), each func(T) error) error {
	for cursor := ""; ; {
		page, err := read(cursor)
		if err != nil {
			return err
		}
		for _, v := range page.Data {
			if err := each(v); err != nil {
				return err
			}
		}
		if page.NextCursor == nil {
			return nil
		}
		cursor = *page.NextCursor
	}
}
