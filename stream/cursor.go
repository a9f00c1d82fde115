package stream

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrBadCursor says that a cursor has none of the known forms.
var ErrBadCursor = errors.New("malformed cursor")

const (
	// maxSeq is the largest sequence number that JSON readers keep exact; a
	// cursor beyond it can't be one of ours.
	maxSeq = 1<<53 - 1
	// shortHash is how many bytes of the hash an id shows.
	shortHash = 4
	// maxCursor is the longest cursor: 16 digits, a dash, 8 hex digits. It
	// keeps parsing independent of what a client sends.
	maxCursor = 16 + 1 + 2*shortHash
	// latest is the cursor that asks for live events only.
	latest = "latest"
)

type cursorKind uint8

const (
	fromOldest cursorKind = iota
	fromLatest
	fromID
)

// Cursor says where in a log a reader wants to go on. The zero value is the
// oldest retained event.
type Cursor struct {
	kind  cursorKind
	seq   uint64
	short [shortHash]byte
}

// Latest is the cursor of a reader that wants live events only.
func Latest() Cursor { return Cursor{kind: fromLatest} }

// ParseCursor reads a Last-Event-ID header or an `after` parameter: nothing or
// `0-00000000` for the oldest retained event, `latest` for live events only, or
// the id of the last event that the reader has. Anything else is ErrBadCursor.
func ParseCursor(s string) (Cursor, error) {
	switch s {
	case "":
		return Cursor{}, nil
	case latest:
		return Latest(), nil
	}
	if len(s) > maxCursor {
		return Cursor{}, fmt.Errorf("parse cursor: %w: too long", ErrBadCursor)
	}
	return parseID(s)
}

func parseID(s string) (Cursor, error) {
	digits, hash, found := strings.Cut(s, "-")
	c := Cursor{kind: fromID}
	var ok bool
	if c.seq, ok = parseSeq(digits); !found || !ok || !c.parseHash(hash) {
		return Cursor{}, fmt.Errorf("parse cursor: %w: want <seq>-<8 hex digits>", ErrBadCursor)
	}
	if c.seq == 0 && c.short == [shortHash]byte{} {
		return Cursor{}, nil
	}
	return c, nil
}

// parseSeq takes the one spelling that ids have: no sign, no leading zeros.
func parseSeq(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n > maxSeq || strconv.FormatUint(n, 10) != s {
		return 0, false
	}
	return n, true
}

func (c *Cursor) parseHash(s string) bool {
	if len(s) != 2*shortHash || strings.ToLower(s) != s {
		return false
	}
	_, err := hex.Decode(c.short[:], []byte(s))
	return err == nil
}

// String is a form that ParseCursor reads back as the same cursor.
func (c Cursor) String() string {
	switch c.kind {
	case fromLatest:
		return latest
	case fromID, fromOldest:
	}
	return strconv.FormatUint(c.seq, 10) + "-" + hex.EncodeToString(c.short[:])
}

// cursorAt is the cursor of a reader that has everything up to id.
func cursorAt(id ID) Cursor {
	return Cursor{kind: fromID, seq: id.Seq, short: [shortHash]byte(id.Hash[:shortHash])}
}

// id is the cursor's place, its hash known by its first bytes only.
func (c Cursor) id() ID {
	id := ID{Seq: c.seq}
	copy(id.Hash[:], c.short[:])
	return id
}
