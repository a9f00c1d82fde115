package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
)

// TestTranscripts plays what the files of testdata say, message for message.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			play(t, archive)
		})
	}
}

// play runs one transcript: a host with its model, an agent, and its lines.
func play(t *testing.T, archive *txtar.Archive) {
	t.Helper()
	require.Equal(t, "model", archive.Files[0].Name)
	script := filepath.Join(t.TempDir(), "model.yaml")
	require.NoError(t, os.WriteFile(script, archive.Files[0].Data, 0o600))
	steps, err := model.ReadScript(script)
	require.NoError(t, err)
	s := enact(t, spec(archive))
	s.serve(steps.Steps...)
	d := s.talk(acp.Config{Session: s.session, Version: "test"})
	for _, part := range archive.Files {
		lines := slices.DeleteFunc(strings.Split(string(part.Data), "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
		switch part.Name {
		case "model", "ask":
		case "client":
			for _, line := range lines {
				d.say(line)
			}
		case "agent":
			for _, line := range lines {
				got := d.hear()
				require.True(t, matches(line, got), "want %s\ngot  %s", line, got)
			}
		case "agent, in any order":
			for range lines {
				got := d.hear()
				i := slices.IndexFunc(lines, func(l string) bool { return matches(l, got) })
				require.GreaterOrEqual(t, i, 0, "got %s", got)
				lines[i] = "null"
			}
		default:
			t.Fatalf("no such part: %q", part.Name)
		}
	}
}

// spec is a session in which nobody is asked, unless a part `ask` says so.
func spec(archive *txtar.Archive) client.SessionSpec {
	if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "ask" }) {
		return client.SessionSpec{}
	}
	return allowing()
}

// dialogue is the raw protocol with an agent.
type dialogue struct {
	t     *testing.T
	to    io.Writer
	from  *bufio.Scanner
	dir   string
	names map[string]string // of ids, as they appear
	ids   []string          // the other way round: name, id …
}

var ids = regexp.MustCompile(`\b(ses|bat|apr|req)_[A-Za-z0-9_]+`)

// talk connects to an agent without a library between.
func (s *scene) talk(c acp.Config) *dialogue {
	s.Helper()
	c.Client, c.Log = connect(s.T, s.base), slog.New(slog.NewTextHandler(s.Output(), nil))
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- acp.Serve(context.WithoutCancel(s.Context()), c, toAgent, fromAgent)
		_ = fromAgent.Close() // a pipe's never fails
	}()
	s.Cleanup(func() {
		require.NoError(s, fromClient.Close())
		require.NoError(s, <-ended)
	})
	return &dialogue{t: s.T, to: fromClient, from: bufio.NewScanner(toClient), dir: s.work.Dir(), names: map[string]string{}}
}

// say writes a line of the transcript.
func (d *dialogue) say(line string) {
	d.t.Helper()
	_, err := io.WriteString(d.to, strings.NewReplacer(append(d.ids, "/work", d.dir)...).Replace(line)+"\n")
	require.NoError(d.t, err)
}

// hear reads a line, with ids and paths as transcripts have them.
func (d *dialogue) hear() string {
	d.t.Helper()
	require.True(d.t, d.from.Scan(), "the agent says nothing more")
	return ids.ReplaceAllStringFunc(strings.ReplaceAll(d.from.Text(), d.dir, "/work"), func(id string) string {
		if _, ok := d.names[id]; !ok {
			kind := id[:3]
			n := 1
			for known := range d.names {
				if strings.HasPrefix(known, kind) {
					n++
				}
			}
			d.names[id] = fmt.Sprintf("%s_%d", kind, n)
			d.ids = append(d.ids, d.names[id], id)
		}
		return d.names[id]
	})
}

// matches compares two lines as JSON; "…" is any text.
func matches(want, got string) bool {
	var w, g any
	return json.Unmarshal([]byte(want), &w) == nil && json.Unmarshal([]byte(got), &g) == nil && alike(w, g)
}

func alike(want, got any) bool {
	switch want := want.(type) {
	case string:
		text, ok := got.(string)
		return ok && (want == "…" || want == text)
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(want, list, alike)
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return false
		}
		for name, w := range want {
			if g, ok := object[name]; !ok || !alike(w, g) {
				return false
			}
		}
		return true
	default:
		return want == got
	}
}
