package providers

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

var update = flag.Bool("update", false, "write what the transcripts expect anew")

// transcript is a file of testdata: what a provider said, the calls in it, and
// the answers to them in every format.
type transcript struct {
	path    string
	archive *txtar.Archive
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			transcript{path, archive}.run(t)
		})
	}
}

func (s transcript) run(t *testing.T) {
	t.Helper()
	format := Format(s.section("format"))
	parsed, err := Parse(format, s.envelope(), countedIDs())
	require.NoError(t, err)
	s.expect(t, "calls", callLines(t, parsed))

	u := answered(format, parsed.Calls)
	if notices := s.section("notices"); notices != "" {
		u.Notices = strings.Split(notices, "\n")
	}
	for _, to := range Formats {
		rendered, err := Render(to, u)
		require.NoError(t, err)
		if to != Native { // its bytes are the scheduler's
			s.expect(t, "to "+string(to), string(rendered))
		}
		require.Empty(t, exchange(format, to, parsed.Calls).Check(rendered), "in %s", to)
		if to == format {
			require.Empty(t, Conforms(to, s.envelope().Message, rendered))
		}
	}
	s.write(t)
}

func (s transcript) section(name string) string {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return strings.TrimSuffix(string(f.Data), "\n")
		}
	}
	return ""
}

func (s transcript) envelope() Envelope {
	e := Envelope{Message: json.RawMessage(s.section("message"))}
	for _, f := range s.archive.Files {
		if f.Name == "finish" {
			reason := s.section("finish")
			e.FinishReason = &reason
		}
	}
	return e
}

// expect compares a section, or replaces it when the transcripts are updated.
func (s transcript) expect(t *testing.T, name, got string) {
	t.Helper()
	if !*update {
		require.Equal(t, s.section(name), got, "section %q of %s", name, s.path)
		return
	}
	data := []byte(got + "\n")
	for i, f := range s.archive.Files {
		if f.Name == name {
			s.archive.Files[i].Data = data
			return
		}
	}
	s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: data})
}

func (s transcript) write(t *testing.T) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(s.path, txtar.Format(s.archive), 0o600))
	}
}

func callLines(t *testing.T, p Parsed) string {
	t.Helper()
	lines := []string{"response " + p.ResponseID}
	for _, c := range p.Calls {
		line := fmt.Sprintf("%q %s %s", c.ID, c.Name, c.Arguments)
		if c.IDAssigned {
			line = "assigned " + line
		}
		if c.Custom {
			line = "custom " + line
		}
		if c.Fault != scheduler.FaultNone {
			line = string(c.Fault) + " " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
