package sessions

import (
	"encoding/base64"
	"strings"
)

// CursorOf says where a list goes on, in a form that only that list takes
// back; nil where it ends. A list is named with what it is a list of.
func CursorOf(list, position string) *string {
	if position == "" {
		return nil
	}
	cursor := base64.RawURLEncoding.EncodeToString([]byte(list + " " + position))
	return &cursor
}

// PositionOf is the position that CursorOf was given; "" without a cursor.
// Another list's cursor is refused: what it stands for is a place here, too, and
// so it would leave things out without anybody noticing.
func PositionOf(list, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	position, ok := strings.CutPrefix(string(text), list+" ")
	if err != nil || !ok || position == "" {
		return "", errBadCursor()
	}
	return position, nil
}

func errBadCursor() *Problem {
	return refuse(CodeBadCursor, "the cursor is not one that this list gave")
}
