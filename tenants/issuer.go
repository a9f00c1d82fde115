package tenants

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Issuer is an identity provider whose tokens are taken in a key's stead. It
// is part of a deployment's configuration: no tenant can add one.
type Issuer struct {
	ID       string `json:"id"`       // in key ids and logs
	Issuer   string `json:"issuer"`   // what a token's iss has to be
	Audience string `json:"audience"` // what a token's aud has to hold
	JWKSURL  string `json:"jwks_url"` // where its keys are
	// Algorithms are those that its tokens may be signed with; what a token says
	// itself only chooses among them.
	Algorithms []Algorithm `json:"algorithms"`
	// Tenants are those that it may speak for.
	Tenants []string `json:"tenants"`
	Claims  Claims   `json:"claims"`
	// Roles says which roles a value of the roles claim stands for. A token with
	// no such value is nobody's.
	Roles map[string][]Role `json:"roles"`
	// ClockSkewS is how many seconds its clock may differ from ours; nil: 30.
	ClockSkewS *int `json:"clock_skew_s"`
}

// Claims are the names of the claims that say who it is. A name may be a path
// into objects, with dots: realm_access.roles.
type Claims struct {
	Tenant  string `json:"tenant"`  // empty: the only one of Tenants
	Subject string `json:"subject"` // empty: sub
	Roles   string `json:"roles"`   // empty: roles
}

// Algorithm is how tokens are signed, by its name in JOSE.
type Algorithm string

// Algorithms are those that can be configured: none has a shared secret, so
// that nothing that is published can sign.
func Algorithms() []Algorithm {
	return []Algorithm{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
}

// Bounds of an issuer's clock skew.
const (
	defaultClockSkew = 30 * time.Second
	// maxClockSkew is more than machines that are looked after differ by.
	maxClockSkew = 5 * time.Minute
)

// ClockSkew is how far its clock may differ from ours.
func (i Issuer) ClockSkew() time.Duration {
	if i.ClockSkewS == nil {
		return defaultClockSkew
	}
	return time.Duration(*i.ClockSkewS) * time.Second
}

// issuers reports what is wrong with a list of issuers.
func (c *checker) issuers(list []Issuer) {
	ids, names := make(map[string]bool), make(map[string]bool)
	for n, i := range list {
		at := fmt.Sprintf("issuers[%d]", n)
		c.id(at, i.ID, ids)
		if names[i.Issuer] {
			c.report(at+".issuer", "%q is there twice: a token has to be one issuer's", i.Issuer)
		}
		names[i.Issuer] = true
		c.issuer(at, i)
	}
}

func (c *checker) issuer(at string, i Issuer) {
	c.present(at+".issuer", i.Issuer)
	c.present(at+".audience", i.Audience)
	if u, err := url.Parse(i.JWKSURL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		c.report(at+".jwks_url", "is not an http or https URL")
	}
	c.among(at+".algorithms", len(i.Algorithms), func(n int) (string, bool) {
		return string(i.Algorithms[n]), slices.Contains(Algorithms(), i.Algorithms[n])
	})
	c.among(at+".tenants", len(i.Tenants), func(n int) (string, bool) {
		return i.Tenants[n], idPattern.MatchString(i.Tenants[n])
	})
	if i.Claims.Tenant == "" && len(i.Tenants) > 1 {
		c.report(at+".claims.tenant", "is missing: the issuer speaks for several tenants")
	}
	if skew := i.ClockSkew(); skew < 0 || skew > maxClockSkew {
		c.report(at+".clock_skew_s", "is not between 0 and %d", int(maxClockSkew.Seconds()))
	}
	c.grants(at+".roles", i.Roles)
}

// grants reports roles that no issuer can give.
func (c *checker) grants(path string, grants map[string][]Role) {
	if len(grants) == 0 {
		c.report(path, "is empty: nobody could do anything")
	}
	for value, roles := range grants {
		at := path + "." + value
		c.roles(at, roles)
		if slices.Contains(roles, RoleOperator) {
			c.report(at, "%s is the deployment's; no issuer gives it", RoleOperator)
		}
	}
}

func (c *checker) present(path, value string) {
	if strings.TrimSpace(value) == "" {
		c.report(path, "is missing")
	}
}

// among reports elements of a list that are none of those there are, and a list
// without any.
func (c *checker) among(path string, n int, element func(int) (string, bool)) {
	if n == 0 {
		c.report(path, "is empty")
	}
	for i := range n {
		if text, ok := element(i); !ok {
			c.report(fmt.Sprintf("%s[%d]", path, i), "%q is not one", text)
		}
	}
}

// CheckSubject says what is wrong with the name of a caller; nil: nothing.
func CheckSubject(s string) error {
	c := &checker{}
	c.subject("subject", s)
	if len(c.problems) > 0 {
		return c.problems[0]
	}
	return nil
}
