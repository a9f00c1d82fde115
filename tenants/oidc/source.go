package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/lestrrat-go/jwx/v3/jwk"
)

// maxSetBytes bounds a key set, whatever the client allows: maxKeys of the
// largest keys with their certificates.
const maxSetBytes = 1 << 20

var errNoUsableKey = errors.New("the key set holds no key that verifies signatures")

// source is where an issuer's key set is.
type source struct {
	url    string
	client *http.Client
	log    *slog.Logger
}

// fetch gets the key set. Of a set with nothing to use the keys before it stay:
// it is more likely broken than meant.
func (s *source) fetch(ctx context.Context) ([]key, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for the key set: %w", err)
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask for the key set: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // what was read is read
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for the key set: status %d", res.StatusCode)
	}
	raw, err := io.ReadAll(http.MaxBytesReader(nil, res.Body, maxSetBytes))
	if err != nil {
		return nil, fmt.Errorf("read the key set: %w", err)
	}
	set, err := jwk.Parse(raw, jwk.WithIgnoreParseError(true))
	if err != nil {
		return nil, errors.New("read the key set: not a JSON Web Key Set")
	}
	keys := keysOf(set)
	if len(keys) == 0 {
		return nil, errNoUsableKey
	}
	return keys, nil
}
