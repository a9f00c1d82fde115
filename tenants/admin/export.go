package admin

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// ExportLine is one line of an export.
type ExportLine struct {
	Type      string `json:"type"` // tenant, settings, key, session, turn, batch, output, event, audit
	SessionID string `json:"session_id,omitempty"`
	EventID   string `json:"event_id,omitempty"`
	Data      any    `json:"data"`
}

// exporter is the caller that a tenant's sessions are read as.
func exporter(tenant string) tenants.Caller {
	return tenants.Caller{Tenant: tenant, Roles: []tenants.Role{tenants.RoleViewer}}
}

// Export yields what there is of a tenant: itself, its settings and keys
// (without anything secret), each session with its turns, its ended batches, the
// outputs that it keeps and its events, and the audit log. What changes
// meanwhile is told as it was before or as it is then. It holds a page of a
// list at a time, however much there is.
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
	if err := s.exportSessions(ctx, exporter(tenant), yield); err != nil {
		return err
	}
	return s.exportAudit(ctx, exporter(tenant), yield)
}

func (s *Service) exportAudit(ctx context.Context, c tenants.Caller, yield func(ExportLine) error) error {
	for line, err := range s.sessions.Audit(ctx, c, time.Time{}) {
		if err == nil {
			err = yield(ExportLine{Type: "audit", Data: line})
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	err = s.sessions.Transcript(ctx, c, doc.ID, func(line sessions.TranscriptLine) error {
		return yield(ExportLine{Type: "batch", SessionID: doc.ID, Data: line})
	})
	if err != nil {
		return err
	}
	return s.exportRecords(ctx, c, doc.ID, yield)
}

// exportRecords yields what a session has left beside its documents.
func (s *Service) exportRecords(ctx context.Context, c tenants.Caller, sid string, yield func(ExportLine) error) error {
	err := s.sessions.Outputs(ctx, c, sid, func(o sessions.StoredOutput) error {
		return yield(ExportLine{Type: "output", SessionID: sid, Data: o})
	})
	if err != nil {
		return err
	}
	return s.sessions.Events(ctx, c, sid, func(e stream.Event) error {
		return yield(ExportLine{Type: "event", SessionID: sid, EventID: e.ID().String(), Data: json.RawMessage(e.JSON)})
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
