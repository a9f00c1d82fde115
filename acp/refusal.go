package acp

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// JSON-RPC's codes, as far as they are used.
const (
	invalidParams = -32602
	internalError = -32603
	authRequired  = -32000 // the protocol's own
)

// refusal is an error as a client is shown it: what was attempted, and why it
// failed. Its data holds the gateway's code.
func refusal(doing string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	r := &sdk.RequestError{Code: internalError, Message: fmt.Sprintf("%s: %s", doing, err)}
	p, ok := errors.AsType[*client.ProblemError](err)
	if !ok {
		return r
	}
	r.Data = map[string]any{"code": p.Problem.Code, "request_id": p.Problem.RequestID}
	switch {
	case p.Status == http.StatusUnauthorized:
		r.Code = authRequired
	case p.Status < http.StatusInternalServerError:
		r.Code = invalidParams
	}
	return r
}
