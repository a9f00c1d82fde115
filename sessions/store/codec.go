package store

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/session-gateway/gateway/stream"
)

// Fields of a document that the store writes for itself.
const (
	fieldHead    = "@head"    // hash and seq of the newest event
	fieldBase    = "@base"    // hash and seq of the event before the first retained one
	fieldCommits = "@commits" // how many commits there were
	fieldSchema  = "schema"   // version of the stored form
)

// idLen is the length of the raw hash in an encoded id.
const idLen = len(stream.Hash{})

// encodeID is the stored form of an id: 32 raw bytes, then seq in decimal. The
// zero id (no event) is the empty string, which is what an absent field reads as.
func encodeID(id stream.ID) string {
	if id == (stream.ID{}) {
		return ""
	}
	return string(id.Hash[:]) + strconv.FormatUint(id.Seq, 10)
}

func decodeID(s string) (stream.ID, error) {
	if s == "" {
		return stream.ID{}, nil
	}
	if len(s) <= idLen {
		return stream.ID{}, fmt.Errorf("decode id: %d bytes are too short", len(s))
	}
	seq, err := strconv.ParseUint(s[idLen:], 10, 64)
	if err != nil {
		return stream.ID{}, fmt.Errorf("decode id: %w", err)
	}
	id := stream.ID{Seq: seq}
	copy(id.Hash[:], s)
	return id, nil
}

// encodeIdempotency is the stored form of an answer: commit id, body hash and
// status on a line each, then the answer as it is.
func encodeIdempotency(commit string, i *Idempotency) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%d\n", commit, i.BodyHash, i.Status)
	b.Write(i.Answer)
	return b.Bytes()
}

func decodeIdempotency(scope, s string) (*Idempotency, error) {
	parts := strings.SplitN(s, "\n", 4)
	if len(parts) != 4 {
		return nil, fmt.Errorf("decode idempotency record: %d parts", len(parts))
	}
	status, err := strconv.Atoi(parts[2])
	if err != nil {
		return nil, fmt.Errorf("decode idempotency record: %w", err)
	}
	return &Idempotency{Scope: scope, BodyHash: parts[1], Status: status, Answer: []byte(parts[3])}, nil
}

// millis is how times are scored in sorted sets.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// ownField says whether a field of a document is the store's.
func ownField(name string) bool { return strings.HasPrefix(name, "@") || name == fieldSchema }
