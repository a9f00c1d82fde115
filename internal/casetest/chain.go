package casetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrChain says that an event is not the one that follows.
var ErrChain = errors.New("the event does not continue the log")

// Chain is a reader's place in a session's log: the last event's number and
// the hash of everything up to it. The zero value is before the first.
type Chain struct {
	Seq  uint64
	Hash [sha256.Size]byte
}

// ID is the place as an event id.
func (c Chain) ID() string { return fmt.Sprintf("%d-%s", c.Seq, hex.EncodeToString(c.Hash[:4])) }

// Next is the place behind the event with this JSON. It computes the id that
// the event must have and refuses another.
func (c Chain) Next(id string, raw []byte) (Chain, error) {
	next := Chain{Seq: c.Seq + 1, Hash: sha256.Sum256(append(c.Hash[:], raw...))}
	if id != next.ID() {
		return c, fmt.Errorf("%w: got %s, want %s", ErrChain, id, next.ID())
	}
	var envelope struct {
		Seq uint64 `json:"seq"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return c, fmt.Errorf("%w: %w", ErrChain, err)
	}
	if envelope.Seq != next.Seq {
		return c, fmt.Errorf("%w: the data of %s says %d", ErrChain, id, envelope.Seq)
	}
	return next, nil
}
