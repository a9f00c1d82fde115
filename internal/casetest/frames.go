package casetest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine bounds a line of the stream: the contract bounds data at 32 KiB,
// the reminder aside, so a line beyond this is broken.
const maxLine = 1 << 20

// ErrFrame says that the stream holds something that is no frame of the
// contract.
var ErrFrame = errors.New("malformed frame")

// frame is what stands between two blank lines.
type frame struct {
	id, event, data string
	retry           string
}

// frameReader reads frames and nothing else: no field twice, no field that
// the contract doesn't know, one line of data.
type frameReader struct{ lines *bufio.Scanner }

func newFrameReader(r io.Reader) frameReader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	return frameReader{lines}
}

// next is the next frame that is more than a comment; io.EOF at the end.
func (f frameReader) next() (frame, error) {
	var got frame
	begun := false
	for f.lines.Scan() {
		line := f.lines.Text()
		switch {
		case line == "" && begun:
			return got, nil
		case line == "" || line[0] == ':':
			continue
		}
		begun = true
		if err := got.take(line); err != nil {
			return frame{}, err
		}
	}
	if err := f.lines.Err(); err != nil {
		return frame{}, fmt.Errorf("read stream: %w", err)
	}
	if begun {
		return frame{}, fmt.Errorf("read stream: %w", io.ErrUnexpectedEOF)
	}
	return frame{}, io.EOF
}

func (f *frame) take(line string) error {
	name, value, _ := strings.Cut(line, ": ")
	fields := map[string]*string{"id": &f.id, "event": &f.event, "data": &f.data, "retry": &f.retry}
	field, known := fields[name]
	if !known || *field != "" || value == "" {
		return fmt.Errorf("%w: line %q", ErrFrame, line)
	}
	*field = value
	return nil
}
