package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// logged are the lines of a log in JSON.
func logged(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(out.String()) {
		var one map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &one), line)
		all = append(all, one)
	}
	return all
}

func TestTheSameWarningAgainAndAgainIsToldSparingly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := newLogger(Config{LogFormat: "json", LogLevel: "info"}, &out)
		for range 1000 {
			log.Warn("redis is away")
			log.With(slog.String("node", "a")).Warn("redis is away")
		}
		require.Len(t, logged(t, &out), sparingLines)
		log.Warn("something else")
		require.Len(t, logged(t, &out), sparingLines+1, "another message counts by itself")

		time.Sleep(sparingWindow)
		out.Reset()
		log.Warn("redis is away")
		log.Warn("redis is away")
		lines := logged(t, &out)
		require.EqualValues(t, 2000-sparingLines, lines[0]["left_out"])
		require.NotContains(t, lines[1], "left_out")
	})
}

func TestErrorsAndWhatIsLookedForAreToldEachTime(t *testing.T) {
	t.Parallel()
	for level, count := range map[string]int{"info": 200, "debug": 300} {
		var out bytes.Buffer
		log := newLogger(Config{LogFormat: "json", LogLevel: level}, &out)
		for range 100 {
			log.Error("a mistake", slog.Any("error", errors.New("x")))
			log.Info("serving")
			if level == "debug" {
				log.Warn("redis is away")
			}
		}
		require.Len(t, logged(t, &out), count, level)
	}
}

func TestLibrariesLogAsTheProgramDoes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := newLogger(Config{LogFormat: "json", LogLevel: "info"}, &out)
	httpErrors(log).Printf("http: TLS handshake error from %s: EOF", "10.0.0.1:1")
	redisNotes{log}.Printf(t.Context(), "dial %s: refused", "10.0.0.2:6379")
	lines := logged(t, &out)
	require.Equal(t, "http: TLS handshake error from 10.0.0.1:1: EOF", lines[0]["error"])
	require.Equal(t, "dial 10.0.0.2:6379: refused", lines[1]["text"])
}

func TestDurationsAreLoggedAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "text"} {
		var out bytes.Buffer
		newLogger(Config{LogFormat: format, LogLevel: "info"}, &out).Info("stopping", slog.Duration("drain", 20*time.Second))
		require.Contains(t, out.String(), "20s", format)
	}
}
