package stream

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

const (
	// TenantLogs is over how many logs a tenant's events spread, one for each
	// bucket of its sessions.
	TenantLogs = 16
	// vectorForm begins every encoded vector, so that another form can follow.
	vectorForm = 1
	// maxVectorBytes is the longest vector before it is made text: its form,
	// and for each log up to 8 bytes of number and the short hash.
	maxVectorBytes = 1 + TenantLogs*(8+shortHash)
	// MaxTenantCursor is the longest cursor of a tenant's stream, in characters.
	MaxTenantCursor = (maxVectorBytes*8 + 5) / 6
)

// Vector is a place in a tenant's logs: the last event of each, in the order of
// the tenant's buckets.
type Vector [TenantLogs]ID

// String is the vector's wire form, opaque to clients.
func (v *Vector) String() string { return string(v.append(nil)) }

// append appends the wire form: base64url of each log's number and, unless it
// is 0, short hash. Logs without events at the end are left out.
func (v *Vector) append(b []byte) []byte {
	used := TenantLogs
	for used > 0 && v[used-1].Seq == 0 {
		used--
	}
	raw := append(make([]byte, 0, maxVectorBytes), vectorForm)
	for _, id := range v[:used] {
		raw = binary.AppendUvarint(raw, id.Seq)
		if id.Seq > 0 {
			raw = append(raw, id.Hash[:shortHash]...)
		}
	}
	return base64.RawURLEncoding.AppendEncode(b, raw)
}

// parseVector reads what String wrote, the hashes by their first bytes only.
// Every vector has one spelling.
func parseVector(s string) (v Vector, err error) {
	if len(s) > MaxTenantCursor {
		return v, fmt.Errorf("parse cursor: %w: too long", ErrBadCursor)
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) == 0 || raw[0] != vectorForm || !v.decode(raw[1:]) || v.String() != s {
		return v, fmt.Errorf("parse cursor: %w: not one of a tenant's stream", ErrBadCursor)
	}
	return v, nil
}

func (v *Vector) decode(raw []byte) bool {
	for i := 0; len(raw) > 0; i++ {
		seq, n := binary.Uvarint(raw)
		if i == TenantLogs || n <= 0 || seq > maxSeq {
			return false
		}
		raw = raw[n:]
		if v[i].Seq = seq; seq == 0 {
			continue
		}
		if len(raw) < shortHash {
			return false
		}
		copy(v[i].Hash[:], raw[:shortHash])
		raw = raw[shortHash:]
	}
	return true
}

// TenantCursor says where a reader wants to go on in a tenant's stream. The
// zero value is the state as it is, and then what happens from there on.
type TenantCursor struct {
	kind cursorKind
	at   Vector
}

// ParseTenantCursor reads a Last-Event-ID header or an `after` parameter of a
// tenant's stream: nothing for the state as it is, `latest` for live events
// only, or the id of the last frame that the reader has. Anything else is
// ErrBadCursor.
func ParseTenantCursor(s string) (TenantCursor, error) {
	switch s {
	case "":
		return TenantCursor{}, nil
	case latest:
		return TenantCursor{kind: fromLatest}, nil
	}
	at, err := parseVector(s)
	if err != nil {
		return TenantCursor{}, err
	}
	return TenantCursor{kind: fromID, at: at}, nil
}

// in is the cursor's part for one of the logs.
func (c *TenantCursor) in(log int) Cursor {
	if c.kind == fromLatest {
		return Latest()
	}
	return cursorAt(c.at[log])
}
