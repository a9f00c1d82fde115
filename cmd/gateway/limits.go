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
	_ encoding.TextUnmarshaler = (*KeyLimits)(nil)
	_ encoding.TextMarshaler   = KeyLimits{}
)

// Limits is the value of --tenant-limits: what holds for tenants that have
// nothing of their own.
type Limits tenants.Limits

// KeyLimits is the value of --key-limits.
type KeyLimits tenants.KeyLimits

func (l *Limits) fields() limitFields {
	return limitFields{
		field("requests_per_minute", &l.RequestsPerMinute),
		field("batches_per_minute", &l.BatchesPerMinute),
		field("open_streams", &l.OpenStreams),
		field("sessions", &l.Sessions),
		field("stored_bytes", &l.StoredBytes),
	}
}

func (l *KeyLimits) fields() limitFields {
	return limitFields{
		field("requests_per_minute", &l.RequestsPerMinute),
		field("batches_per_minute", &l.BatchesPerMinute),
		field("open_streams", &l.OpenStreams),
	}
}

// UnmarshalText reads `requests_per_minute=6000,open_streams=100`.
func (l *Limits) UnmarshalText(text []byte) error {
	var read Limits
	if err := read.fields().read(string(text)); err != nil {
		return err
	}
	*l = read
	return nil
}

// UnmarshalText reads `requests_per_minute=600,open_streams=10`.
func (l *KeyLimits) UnmarshalText(text []byte) error {
	var read KeyLimits
	if err := read.fields().read(string(text)); err != nil {
		return err
	}
	*l = read
	return nil
}

// String is the form that UnmarshalText reads; empty without a limit.
func (l Limits) String() string { return l.fields().String() }

// String is the form that UnmarshalText reads; empty without a limit.
func (l KeyLimits) String() string { return l.fields().String() }

// MarshalText is String.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// MarshalText is String.
func (l KeyLimits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// limitField is a limit by its name in a tenant's settings.
type limitField struct {
	name string
	get  func() int64
	set  func(int64)
}

func field[N int | int64](name string, at *N) limitField {
	return limitField{name, func() int64 { return int64(*at) }, func(n int64) { *at = N(n) }}
}

type limitFields []limitField

func (f limitFields) read(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, digits, _ := strings.Cut(part, "=")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 1 || !f.set(name, n) {
			return fmt.Errorf("%q is not one of %s with a number from 1 on", part, strings.Join(f.names(), ", "))
		}
	}
	return nil
}

func (f limitFields) set(name string, n int64) bool {
	for _, field := range f {
		if field.name == name {
			field.set(n)
			return true
		}
	}
	return false
}

func (f limitFields) names() []string {
	var names []string
	for _, field := range f {
		names = append(names, field.name+"=N")
	}
	return names
}

// String is what read reads, of the limits that there are.
func (f limitFields) String() string {
	var parts []string
	for _, field := range f {
		if n := field.get(); n > 0 {
			parts = append(parts, field.name+"="+strconv.FormatInt(n, 10))
		}
	}
	return strings.Join(parts, ",")
}
