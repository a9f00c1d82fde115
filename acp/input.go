package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
)

// maxLine bounds a message: the library gives up silently at 10 MiB, and a prompt
// with several pictures has less.
const maxLine = 9 << 20

// ErrLineTooLong says that a message is longer than the agent reads.
var ErrLineTooLong = fmt.Errorf("a message has more than %d MiB", maxLine>>20)

// reader reads what the client sends. It keeps messages from a connection that is
// still being put together, and ends with a message that is too long.
type reader struct {
	r       io.Reader
	started chan struct{} // closed when the connection is whole
	line    int           // bytes of the message that is being read
	tooLong atomic.Bool
}

// Read waits for the start, then reads.
func (i *reader) Read(p []byte) (int, error) {
	<-i.started
	n, err := i.r.Read(p)
	for part := p[:n]; ; {
		end := bytes.IndexByte(part, '\n')
		if end < 0 {
			i.line += len(part)
			break
		}
		i.line, part = 0, part[end+1:]
	}
	if i.line > maxLine {
		i.tooLong.Store(true)
		return 0, ErrLineTooLong
	}
	return n, err
}

// withheld is the library's log without what the client sent: prompts may hold
// secrets, and editors keep the log.
type withheld struct{ slog.Handler }

// sentKeys are the attributes that repeat something of a message.
var sentKeys = map[string]bool{"raw": true, "id": true, "requestId": true}

// Handle says of what was sent how long it is, and of JSON that breaks off where.
func (w withheld) Handle(ctx context.Context, r slog.Record) error {
	told := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		told.AddAttrs(withhold(a)...)
		return true
	})
	return w.Handler.Handle(ctx, told)
}

func withhold(a slog.Attr) []slog.Attr {
	if sentKeys[a.Key] {
		return []slog.Attr{slog.Int(a.Key+"_bytes", len(a.Value.String()))}
	}
	err, ok := a.Value.Any().(error)
	if !ok {
		return []slog.Attr{a}
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return []slog.Attr{slog.String(a.Key, "not JSON"), slog.Int64("offset", syntax.Offset)}
	case errors.As(err, &shape):
		return []slog.Attr{slog.String(a.Key, "not a message"), slog.Int64("offset", shape.Offset)}
	}
	return []slog.Attr{a}
}

// WithAttrs keeps what is withheld so in loggers that are made of this one.
func (w withheld) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withheld{w.Handler.WithAttrs(attrs)}
}

// WithGroup does so, too.
func (w withheld) WithGroup(name string) slog.Handler { return withheld{w.Handler.WithGroup(name)} }
