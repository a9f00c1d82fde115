package tenants

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// idPattern is the shape of tenant and key ids: they stand in Redis keys, in
// URLs and in logs, so nothing in them may need quoting.
var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// maxSubjectBytes bounds the name that answers are recorded under: it is
// copied into every approval.
const maxSubjectBytes = 128

// checker collects problems, each with the path of what it is about.
type checker struct {
	problems []error
	tenants  map[string]bool
	digests  map[Digest]bool
}

// validate joins everything that is wrong with a list of tenants.
func validate(tenants []Tenant) error {
	c := &checker{tenants: make(map[string]bool), digests: make(map[Digest]bool)}
	for i, t := range tenants {
		c.tenant(fmt.Sprintf("tenants[%d]", i), t)
	}
	return errors.Join(c.problems...)
}

// validateIssuers joins everything that is wrong with a list of issuers.
func validateIssuers(issuers []Issuer) error {
	c := &checker{}
	c.issuers(issuers)
	return errors.Join(c.problems...)
}

func (c *checker) report(path, format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf("%s: "+format, append([]any{path}, args...)...))
}

func (c *checker) id(path, id string, taken map[string]bool) {
	switch {
	case !idPattern.MatchString(id):
		c.report(path+".id", "%q does not match %s", id, idPattern)
	case taken[id]:
		c.report(path+".id", "%q is there twice", id)
	}
	taken[id] = true
}

func (c *checker) tenant(path string, t Tenant) {
	c.id(path, t.ID, c.tenants)
	ids := make(map[string]bool)
	for i, k := range t.Keys {
		at := fmt.Sprintf("%s.keys[%d]", path, i)
		c.id(at, k.ID, ids)
		c.digest(at+".sha256", k.SHA256)
		c.subject(at+".subject", k.Subject)
		c.roles(at+".roles", k.Roles)
		var narrow faults
		k.Narrow.check(&narrow, k.Roles)
		c.faults(at, narrow)
	}
	if t.Settings != nil {
		c.faults(path+".settings", t.Settings.Check())
	}
}

// faults reports those of a part of a document.
func (c *checker) faults(path string, wrong []Fault) {
	for _, f := range wrong {
		c.report(path+strings.ReplaceAll(f.Path, "/", "."), "%s", f.Detail)
	}
}

func (c *checker) digest(path, text string) {
	d, err := ParseDigest(text)
	switch {
	case err != nil:
		c.report(path, "%w", err)
	case c.digests[d]:
		c.report(path, "another key has the same digest: a key speaks for one caller")
	}
	c.digests[d] = true
}

func (c *checker) subject(path, s string) {
	switch {
	case s == "":
		c.report(path, "is missing: answers are recorded under it")
	case len(s) > maxSubjectBytes:
		c.report(path, "is longer than %d bytes", maxSubjectBytes)
	case !utf8.ValidString(s) || !printable(s):
		c.report(path, "holds characters that can't be printed")
	}
}

func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

func (c *checker) roles(path string, roles []Role) {
	if len(roles) == 0 {
		c.report(path, "is empty: a key without a role can do nothing")
	}
	for i, r := range roles {
		if !slices.Contains(AllRoles(), r) {
			c.report(fmt.Sprintf("%s[%d]", path, i), "%q is not one of %v", r, AllRoles())
		}
	}
}
