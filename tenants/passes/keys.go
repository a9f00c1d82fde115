package passes

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// This file is the only place that builds names of keys and secrets. Tenant
// ids are validated identifiers, without dots, colons or braces.

// ticketKey: string with TTL: who opens a stream with the ticket.
func ticketKey(tenant, digest string) string { return "gw:{passes}:" + tenant + ":ticket:" + digest }

// consoleKey: hash with TTL: of one key's or person's sign-ins, by the digest
// of each cookie.
func consoleKey(tenant, principal string) string {
	return "gw:{passes}:" + tenant + ":console:" + principal
}

// secretBytes of randomness can't be guessed, so a plain digest hides them.
const secretBytes = 32

// newSecret is random text that needs no quoting in URLs and cookies.
func newSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // it never fails; it ends the program itself
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// digest names a secret without telling it. parts are what it is good for.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// split takes a secret apart that starts with n names. A tenant's name comes
// from outside here: what no tenant is called is no secret of ours.
func split(secret string, n int) ([]string, bool) {
	parts := strings.Split(secret, ".")
	if len(parts) != n+1 {
		return nil, false
	}
	for _, p := range parts {
		if !plain(p) {
			return nil, false
		}
	}
	return parts, true
}

// maxPart bounds a part of a secret: what is longer is none of ours.
const maxPart = 64

func plain(s string) bool {
	if s == "" || len(s) > maxPart {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}
