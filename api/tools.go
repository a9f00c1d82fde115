package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/sessions"
)

// verbatim is a JSON answer whose bytes are sent as they are.
type verbatim []byte

func (v verbatim) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(v)
	return err
}

// VisitGetToolsResponse writes the answer.
func (v verbatim) VisitGetToolsResponse(w http.ResponseWriter) error { return v.write(w) }

type advertisement struct {
	Format   providers.Format `json:"format"`
	Revision int64            `json:"revision"`
	Tools    json.RawMessage  `json:"tools"`
}

// GetTools serves GET /v1/sessions/{sid}/tools.
func (s *server) GetTools(ctx context.Context, req contract.GetToolsRequestObject) (contract.GetToolsResponseObject, error) {
	set, revision, err := s.service.Tools(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	format := valueOr(req.Params.Format, providers.Native)
	tools, err := providers.Advertise(format, declared(set))
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(advertisement{Format: format, Revision: revision, Tools: tools})
	if err != nil {
		return nil, err
	}
	return verbatim(body), nil
}

func declared(set sessions.ToolSet) []providers.ToolSpec {
	tools := make([]providers.ToolSpec, 0, len(set))
	for _, t := range set {
		tools = append(tools, providers.ToolSpec{
			Name: t.Name, Description: t.Description, InputSchema: json.RawMessage(t.InputSchema),
		})
	}
	return tools
}

// PutTools serves PUT /v1/sessions/{sid}/tools.
func (s *server) PutTools(ctx context.Context, req contract.PutToolsRequestObject) (contract.PutToolsResponseObject, error) {
	doc, err := s.service.SetTools(ctx, callerOf(ctx), req.Sid, valueOr(req.Body.Tools, nil))
	if err != nil {
		return nil, err
	}
	return contract.PutTools200JSONResponse{Body: doc}, nil
}
