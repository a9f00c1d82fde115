package main

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
)

// The values of --durability.
const (
	durabilityAsync      = "async"
	durabilityReplicated = "replicated="
	// maxReplicas is more than anybody runs; beyond it a number is a mistake.
	maxReplicas = 16
)

var (
	_ encoding.TextUnmarshaler = (*Durability)(nil)
	_ encoding.TextMarshaler   = Durability(0)
)

// Durability is how many replicas of Redis must have a write before it is
// acknowledged; 0 (async) waits for none.
type Durability int

// UnmarshalText reads `async` or `replicated=N`.
func (d *Durability) UnmarshalText(text []byte) error {
	if string(text) == durabilityAsync {
		*d = 0
		return nil
	}
	digits, ok := strings.CutPrefix(string(text), durabilityReplicated)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > maxReplicas {
		return fmt.Errorf("%q is neither %s nor %sN with N from 1 to %d", text, durabilityAsync, durabilityReplicated, maxReplicas)
	}
	*d = Durability(n)
	return nil
}

// String is the form that UnmarshalText reads.
func (d Durability) String() string {
	if d == 0 {
		return durabilityAsync
	}
	return durabilityReplicated + strconv.Itoa(int(d))
}

// MarshalText is String.
func (d Durability) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
