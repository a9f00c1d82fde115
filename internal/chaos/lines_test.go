package chaos

import (
	"bufio"
	"fmt"
	"io"
)

// maxLine bounds a line of a stream: data is bounded at 32 KiB, the reminder
// aside, and a tenant's snapshot at about 1 MiB.
const maxLine = 2 << 20

// lineReader reads whole lines; what is cut off in the middle is none.
type lineReader struct{ lines *bufio.Scanner }

func newLineReader(r io.Reader) *lineReader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	s.Split(wholeLines)
	return &lineReader{s}
}

func (r *lineReader) read() (string, error) {
	if r.lines.Scan() {
		return r.lines.Text(), nil
	}
	if err := r.lines.Err(); err != nil {
		return "", fmt.Errorf("read stream: %w", err)
	}
	return "", io.EOF
}

// wholeLines is bufio.ScanLines without a last line that has no end.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	advance, token, err := bufio.ScanLines(data, false)
	if atEOF && advance == 0 {
		return len(data), nil, err
	}
	return advance, token, err //nolint:wrapcheck // a split function's own
}
