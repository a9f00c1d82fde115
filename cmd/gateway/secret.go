package main

import (
	"encoding"
	"fmt"
	"net/url"
	"strings"
)

// redacted stands for a secret wherever one would be printed.
const redacted = "[redacted]"

// embedded is the value of --redis for the store in this process.
const embedded = "embedded"

// Whatever prints or marshals one of these prints the redacted form.
var (
	_ fmt.GoStringer         = Secret("")
	_ encoding.TextMarshaler = Secret("")
	_ fmt.GoStringer         = RedisURL("")
	_ encoding.TextMarshaler = RedisURL("")
)

// Secret is a value that is never printed, whichever verb prints it.
type Secret string

// String hides the secret; that there is none may be seen.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the secret from JSON and YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// RedisURL says where the store is. It may hold a password, so it is printed
// without user, password and parameters.
type RedisURL string

// String is the address without what may be secret in it.
func (r RedisURL) String() string {
	if r == "" || r == embedded {
		return string(r)
	}
	u, err := url.Parse(string(r))
	if err != nil || u.Host == "" {
		return redacted
	}
	var b strings.Builder
	b.WriteString(u.Scheme + "://")
	if u.User != nil {
		b.WriteString(redacted + "@")
	}
	b.WriteString(u.Host + u.Path)
	if u.RawQuery != "" {
		b.WriteString("?" + redacted)
	}
	return b.String()
}

// GoString hides the same from %#v.
func (r RedisURL) GoString() string { return r.String() }

// MarshalText hides the same from JSON and YAML.
func (r RedisURL) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Embedded says that the store lives in this process.
func (r RedisURL) Embedded() bool { return r == embedded }
