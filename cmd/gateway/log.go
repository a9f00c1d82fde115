package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"strings"
)

// newLogger makes the one logger of the program.
func newLogger(cfg Config, w io.Writer) *slog.Logger {
	level := logLevel(cfg.LogLevel)
	opts := &slog.HandlerOptions{Level: level, ReplaceAttr: readable}
	var h slog.Handler = slog.NewJSONHandler(w, opts)
	if cfg.LogFormat == "text" {
		h = slog.NewTextHandler(w, opts)
	}
	if level <= slog.LevelDebug {
		return slog.New(h) // whoever looks for something wants all of it
	}
	return slog.New(sparing{h, newTally()})
}

// readable writes durations as people do: JSON would have nanoseconds.
func readable(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.String(a.Key, a.Value.Duration().String())
	}
	return a
}

// logLevel is the level of a name that Validate allows; info for any other,
// so that the refusal itself can be logged.
func logLevel(name string) slog.Level {
	switch name {
	case "debug":
		return slog.LevelDebug
	case "warn":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	default:
		return slog.LevelInfo
	}
}

// httpErrors is where net/http tells of connections that failed.
func httpErrors(to *slog.Logger) *log.Logger {
	return log.New(lines{to, "connection failed"}, "", 0)
}

// redisNotes is where the Redis client tells of connections that failed and of
// primaries that changed. It doesn't say which is grave.
type redisNotes struct{ to *slog.Logger }

// Printf tells of one.
func (r redisNotes) Printf(ctx context.Context, format string, args ...any) {
	r.to.LogAttrs(ctx, slog.LevelWarn, "note of the redis client", slog.String("text", fmt.Sprintf(format, args...)))
}

// lines makes a warning of each line that a library writes.
type lines struct {
	to      *slog.Logger
	message string
}

// Write takes a line.
func (l lines) Write(line []byte) (int, error) {
	l.to.Warn(l.message, slog.String("error", strings.TrimSpace(string(line)))) //nolint:sloglint // it is a constant
	return len(line), nil
}
