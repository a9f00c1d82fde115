package api

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/passes"
)

// CreateStreamTicket serves POST /v1/sessions/{sid}/stream-tickets.
func (s *server) CreateStreamTicket(
	ctx context.Context, req contract.CreateStreamTicketRequestObject,
) (contract.CreateStreamTicketResponseObject, error) {
	if _, err := s.service.Topic(ctx, callerOf(ctx), req.Sid); err != nil {
		return nil, err // there is no such session, for this caller
	}
	ticket, err := s.ticket(ctx, req.Sid, "/v1/sessions/"+url.PathEscape(req.Sid)+"/events")
	if err != nil {
		return nil, err
	}
	return contract.CreateStreamTicket201JSONResponse{Body: ticket}, nil
}

// CreateTenantStreamTicket serves POST /v1/stream-tickets.
func (s *server) CreateTenantStreamTicket(
	ctx context.Context, _ contract.CreateTenantStreamTicketRequestObject,
) (contract.CreateTenantStreamTicketResponseObject, error) {
	ticket, err := s.ticket(ctx, "", "/v1/events")
	if err != nil {
		return nil, err
	}
	return contract.CreateTenantStreamTicket201JSONResponse{Body: ticket}, nil
}

func (s *server) ticket(ctx context.Context, sid, path string) (contract.StreamTicket, error) {
	t, err := s.passes.NewTicket(ctx, callerOf(ctx), sid)
	if err != nil {
		return contract.StreamTicket{}, unlessAway(err)
	}
	return contract.StreamTicket{
		Ticket: t.Secret, ExpiresAt: stream.FormatTime(t.ExpiresAt), Url: path + "?" + ticketParameter + "=" + url.QueryEscape(t.Secret),
	}, nil
}

// SignIn serves POST /v1/console/session.
func (s *server) SignIn(ctx context.Context, _ contract.SignInRequestObject) (contract.SignInResponseObject, error) {
	if requestOf(ctx).signIn != nil {
		return nil, refusal(codeUnauthenticated, "Signing in takes a key as Authorization: Bearer <key>, not a cookie.")
	}
	caller := callerOf(ctx)
	in, err := s.passes.NewSignIn(ctx, caller)
	if err != nil {
		return nil, unlessAway(err)
	}
	cookie := s.cookie(in.Secret, in.ExpiresAt)
	return contract.SignIn201JSONResponse{
		Body:    signInDocument(caller, &in),
		Headers: contract.SignIn201ResponseHeaders{SetCookie: &cookie},
	}, nil
}

// GetSignIn serves GET /v1/console/session.
func (s *server) GetSignIn(ctx context.Context, _ contract.GetSignInRequestObject) (contract.GetSignInResponseObject, error) {
	return contract.GetSignIn200JSONResponse{Body: signInDocument(callerOf(ctx), requestOf(ctx).signIn)}, nil
}

// SignOut serves DELETE /v1/console/session.
func (s *server) SignOut(ctx context.Context, _ contract.SignOutRequestObject) (contract.SignOutResponseObject, error) {
	if in := requestOf(ctx).signIn; in != nil {
		if err := s.passes.SignOut(ctx, in.Secret); err != nil {
			return nil, unlessAway(err)
		}
	}
	gone := s.cookie("", time.Time{})
	return contract.SignOut204Response{Headers: contract.SignOut204ResponseHeaders{SetCookie: &gone}}, nil
}

func signInDocument(c tenants.Caller, in *passes.SignIn) contract.SignIn {
	doc := contract.SignIn{Tenant: c.Tenant, Subject: c.Subject, Roles: make([]string, 0, len(c.Roles))}
	for _, r := range c.Roles {
		doc.Roles = append(doc.Roles, string(r))
	}
	expires := c.Expires
	if in != nil {
		expires, doc.CsrfToken = in.ExpiresAt, &in.CSRF
	}
	if !expires.IsZero() {
		doc.ExpiresAt = new(stream.FormatTime(expires))
	}
	return doc
}

// unlessAway is the error of a store of passes, told for what it is.
func unlessAway(err error) error {
	if errors.Is(err, passes.ErrUnavailable) {
		return &sessions.Problem{Code: sessions.CodeUnavailable, Detail: "Come back in a moment."}
	}
	return err
}
