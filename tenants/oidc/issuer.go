package oidc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jws"

	"github.com/session-gateway/gateway/tenants"
)

// issuer judges the tokens of one issuer.
type issuer struct {
	tenants.Issuer
	keys *keySet
}

func newIssuer(i tenants.Issuer, s *source) *issuer {
	if i.Claims.Subject == "" {
		i.Claims.Subject = "sub"
	}
	if i.Claims.Roles == "" {
		i.Claims.Roles = "roles"
	}
	return &issuer{Issuer: i, keys: newKeySet(s)}
}

// verify answers the payload of a token that a key of the issuer has signed.
func (i *issuer) verify(ctx context.Context, said unverified, token string) ([]byte, error) {
	if !slices.Contains(i.Algorithms, tenants.Algorithm(said.algorithm)) {
		return nil, errors.New("the algorithm is not configured")
	}
	algorithm, ok := jwa.LookupSignatureAlgorithm(said.algorithm)
	if !ok {
		return nil, fmt.Errorf("the algorithm %s is not built in", said.algorithm)
	}
	k, err := i.keys.find(ctx, said)
	if err != nil {
		return nil, err
	}
	payload, err := jws.Verify([]byte(token), jws.WithKey(algorithm, k.public), jws.WithCompact())
	if err != nil {
		return nil, errors.New("the signature doesn't hold")
	}
	return payload, nil
}
