package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ProblemError is a refusal of the gateway.
type ProblemError struct {
	Problem Problem
	Status  int
}

// Error is the problem's code and detail.
func (e *ProblemError) Error() string {
	return fmt.Sprintf("gateway: %s: %s", e.Problem.Code, e.Problem.Detail)
}

// Is reports whether an error of this package is a problem with this code.
func Is(err error, code Code) bool {
	var p *ProblemError
	return errors.As(err, &p) && p.Problem.Code == code
}

// maxProblemBytes bounds what is read of an answer that is no success.
const maxProblemBytes = 1 << 20

// readProblem makes an error of an answer that is no success. One that is not
// the gateway's own (a proxy's page) keeps its status.
func readProblem(resp *http.Response) error {
	e := &ProblemError{Status: resp.StatusCode}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxProblemBytes))
	if err != nil {
		return fmt.Errorf("read problem: %w", err)
	}
	if err := json.Unmarshal(body, &e.Problem); err != nil || e.Problem.Code == "" {
		e.Problem.Code, e.Problem.Detail = "unknown", resp.Status
		e.Problem.Retryable = resp.StatusCode >= http.StatusBadGateway
	}
	return e
}
