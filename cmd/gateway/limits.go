package main

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/tenants"
)

var (
	_ encoding.TextUnmarshaler = (*Limits)(nil)
	_ encoding.TextMarshaler   = Limits{}
)

// Limits is the value of --tenant-limits and --key-limits: what holds for those
// that have nothing of their own.
type Limits tenants.Limits

// fields are the names of limits, as in a tenant's settings.
func (l *Limits) fields() []struct {
	name  string
	value *int
} {
	return []struct {
		name  string
		value *int
	}{
		{"requests_per_minute", &l.RequestsPerMinute},
		{"batches_per_minute", &l.BatchesPerMinute},
		{"open_streams", &l.OpenStreams},
		{"sessions", &l.Sessions},
	}
}

// UnmarshalText reads `requests_per_minute=6000,open_streams=100`.
func (l *Limits) UnmarshalText(text []byte) error {
	var read Limits
	for part := range strings.SplitSeq(string(text), ",") {
		name, digits, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || !read.set(name, n) {
			return fmt.Errorf("%q is not one of %s with a number from 1 on", part, strings.Join(read.names(), ", "))
		}
	}
	*l = read
	return nil
}

func (l *Limits) set(name string, n int) bool {
	for _, f := range l.fields() {
		if f.name == name {
			*f.value = n
			return true
		}
	}
	return false
}

func (l *Limits) names() []string {
	var names []string
	for _, f := range l.fields() {
		names = append(names, f.name+"=N")
	}
	return names
}

// String is the form that UnmarshalText reads; empty without a limit.
func (l Limits) String() string {
	var parts []string
	for _, f := range l.fields() {
		if *f.value > 0 {
			parts = append(parts, f.name+"="+strconv.Itoa(*f.value))
		}
	}
	return strings.Join(parts, ",")
}

// MarshalText is String.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }
