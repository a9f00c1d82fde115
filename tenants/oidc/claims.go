package oidc

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/session-gateway/gateway/tenants"
)

// maxRoleValues bounds how many values of a roles claim are looked at.
const maxRoleValues = 500

// caller is who a verified payload speaks for.
func (i *issuer) caller(payload []byte) (tenants.Caller, error) {
	expires, err := i.inTime(payload)
	if err != nil {
		return tenants.Caller{}, err
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		return tenants.Caller{}, errors.New("the claims are not an object")
	}
	tenant, err := i.tenant(claims)
	if err != nil {
		return tenants.Caller{}, err
	}
	subject, ok := at(claims, i.Claims.Subject).(string)
	if !ok {
		return tenants.Caller{}, fmt.Errorf("the claim %s is missing or no text", i.Claims.Subject)
	}
	if err := tenants.CheckSubject(subject); err != nil {
		return tenants.Caller{}, fmt.Errorf("the claim %s: %w", i.Claims.Subject, err)
	}
	roles := i.rolesOf(claims)
	if len(roles) == 0 {
		return tenants.Caller{}, fmt.Errorf("no value of the claim %s gives a role", i.Claims.Roles)
	}
	return tenants.Caller{
		Tenant: tenant, KeyID: i.keyID(subject), Subject: subject, Roles: roles, Expires: expires,
	}, nil
}

// inTime judges who a token is for, and when, and says until when it speaks for
// its caller. The skew is for clocks of issuers that differ from ours: nbf and
// iat may be so far ahead, exp so far behind. What a token opens before its exp
// ends with it; only who comes later, within the skew, has till the skew's end.
func (i *issuer) inTime(payload []byte) (time.Time, error) {
	token := jwt.New()
	if json.Unmarshal(payload, token) != nil { // the error may repeat a value
		return time.Time{}, errors.New("the claims are malformed")
	}
	err := jwt.Validate(token,
		jwt.WithIssuer(i.Issuer.Issuer), jwt.WithAudience(i.Audience),
		jwt.WithRequiredClaim(jwt.ExpirationKey), jwt.WithAcceptableSkew(i.ClockSkew()))
	if err != nil {
		return time.Time{}, err // it names the claim, never its value
	}
	expires, _ := token.Expiration()
	if !time.Now().Before(expires) {
		expires = expires.Add(i.ClockSkew())
	}
	return expires, nil
}

func (i *issuer) tenant(claims map[string]any) (string, error) {
	if i.Claims.Tenant == "" {
		return i.Tenants[0], nil
	}
	tenant, ok := at(claims, i.Claims.Tenant).(string)
	if !ok || !slices.Contains(i.Tenants, tenant) {
		return "", fmt.Errorf("the claim %s names no tenant that the issuer speaks for", i.Claims.Tenant)
	}
	return tenant, nil
}

// rolesOf are the roles that a token's values stand for, each once.
func (i *issuer) rolesOf(claims map[string]any) []tenants.Role {
	var roles []tenants.Role
	for _, value := range texts(at(claims, i.Claims.Roles)) {
		roles = append(roles, i.Roles[value]...)
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

// texts are the values of a claim that is a list, or a text with spaces as
// scope is.
func texts(claim any) []string {
	switch v := claim.(type) {
	case string:
		return first(strings.Fields(v))
	case []any:
		out := make([]string, 0, len(v))
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return first(out)
	}
	return nil
}

func first(values []string) []string { return values[:min(len(values), maxRoleValues)] }

// at is the claim at a path: a member of that very name, else one within.
func at(claims map[string]any, path string) any {
	if v, ok := claims[path]; ok {
		return v
	}
	head, rest, found := strings.Cut(path, ".")
	if inner, ok := claims[head].(map[string]any); ok && found {
		return at(inner, rest)
	}
	return nil
}

// keyID is what stands in a key's stead: the issuer and who it is, whichever
// token it sends, so that a request can be repeated with a new one.
func (i *issuer) keyID(subject string) string {
	sum := sha256.Sum256([]byte(subject))
	return "jwt:" + i.ID + ":" + hex.EncodeToString(sum[:8])
}
