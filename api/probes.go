package api

import (
	"bytes"
	"context"
	"log/slog"

	gateway "github.com/session-gateway/gateway"
	"github.com/session-gateway/gateway/api/internal/contract"
)

// Readiness is what /readyz tells.
type Readiness struct {
	Store    string // embedded or redis
	Volatile bool   // a restart forgets everything
	Detail   string // why it is not ready, for everybody to read; may be empty
}

// GetHealth serves GET /healthz: whoever can answer is alive.
func (s *server) GetHealth(context.Context, contract.GetHealthRequestObject) (contract.GetHealthResponseObject, error) {
	return contract.GetHealth200JSONResponse{Body: contract.Health{Status: contract.Ok}}, nil
}

// GetReadiness serves GET /readyz.
func (s *server) GetReadiness(ctx context.Context, _ contract.GetReadinessRequestObject) (contract.GetReadinessResponseObject, error) {
	state, err := s.ready(ctx)
	body := contract.Readiness{
		Status: contract.Ready, Store: contract.ReadinessStore(state.Store), Volatile: state.Volatile,
	}
	if state.Detail != "" {
		body.Detail = &state.Detail
	}
	if err == nil {
		return contract.GetReadiness200JSONResponse{Body: body}, nil
	}
	s.log.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.Any("error", err))
	body.Status = contract.NotReady
	return contract.GetReadiness503JSONResponse{Body: body}, nil
}

// GetContract serves GET /openapi.yaml.
func (s *server) GetContract(context.Context, contract.GetContractRequestObject) (contract.GetContractResponseObject, error) {
	return contract.GetContract200ApplicationyamlResponse{
		Body: bytes.NewReader(gateway.OpenAPI), ContentLength: int64(len(gateway.OpenAPI)),
	}, nil
}
