package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxLine bounds a line of an export: a seal or an entry of the largest batch.
const maxLine = 1 << 20

// maxUnsealed is how long an entry may be without its seal. They come within
// seconds; more is left for replicas that all were away for a while.
const maxUnsealed = 10 * time.Minute

// Line is an entry or a seal as it is exported, one a line.
type Line struct {
	Log   string          `json:"log"`
	ID    string          `json:"id"`
	Entry json.RawMessage `json:"entry,omitempty"` // byte for byte as it was sealed
	Seal  *Seal           `json:"seal,omitempty"`
}

// Break is the first place where a log is not what was sealed.
type Break struct {
	Log string `json:"log"`
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Report is what a verification found.
type Report struct {
	Entries  int               `json:"entries"`
	Seals    int               `json:"seals"`
	Unsealed int               `json:"unsealed"` // since the last seal: not proved yet
	Unsigned int               `json:"unsigned"` // seals that nobody signed
	Heads    map[string]string `json:"heads"`    // by log: the sum of its last seal
	Breaks   []Break           `json:"breaks"`   // the first of each log
	Missing  []string          `json:"missing"`  // sums that were expected and are not there
}

// Intact says whether all that was sealed is there as it was.
func (r *Report) Intact() bool { return len(r.Breaks) == 0 && len(r.Missing) == 0 }

// Verifier checks exported logs.
type Verifier struct {
	Key Key
	// Expect are sums of seals that were there before; of a log that was cut off
	// at its end they are missing.
	Expect []string
}

// Verify reads an export to its end. An error says that it could not be read;
// what is wrong with the logs is in the report.
func (v Verifier) Verify(r io.Reader) (*Report, error) {
	report := &Report{Heads: map[string]string{}, Breaks: []Break{}, Missing: slices.Clone(v.Expect)}
	logs := map[string]*log{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		var line Line
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		l := logs[line.Log]
		if l == nil {
			l = &log{name: line.Log, key: v.Key, report: report}
			logs[line.Log] = l
		}
		if err := l.read(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	var newest uint64
	for _, l := range logs {
		report.Unsealed += len(l.open)
		newest = max(newest, l.last.time)
	}
	for _, l := range logs {
		if err := l.overdue(newest); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(report.Breaks, func(a, b Break) int { return strings.Compare(a.Log, b.Log) })
	return report, in.Err()
}

// log is one log as it is read.
type log struct {
	name   string
	key    Key
	report *Report
	last   id       // of the line before
	open   []Sealed // entries that no seal has named yet
	prev   *Seal
	broken bool
}

var errNeither = errors.New("neither an entry nor a seal")

func (l *log) read(line Line) error {
	at, err := readID(line.ID)
	if err != nil {
		return err
	}
	if !l.last.before(at) {
		l.breaks(line.ID, "it is out of order")
	}
	l.last = at
	switch {
	case line.Seal != nil:
		l.report.Seals++
		l.seal(line.ID, *line.Seal)
	case line.Entry != nil:
		l.report.Entries++
		l.open = append(l.open, Sealed{ID: line.ID, Hash: hash(line.ID, line.Entry)})
	default:
		return errNeither
	}
	return nil
}

// overdue looks for entries that had their time to be sealed by the newest line
// of the whole export: whoever takes seals out of a log doesn't make its entries
// look new.
func (l *log) overdue(newest uint64) error {
	if len(l.open) == 0 {
		return nil
	}
	oldest, err := readID(l.open[0].ID)
	if err != nil {
		return err
	}
	if oldest.time+uint64(maxUnsealed.Milliseconds()) < newest {
		l.breaks(l.open[0].ID, "no seal names it, and by now one has to")
	}
	return nil
}

func (l *log) seal(at string, s Seal) {
	if why := l.judge(s); why != "" {
		l.breaks(at, why)
	}
	l.match(s)
	l.prev = &s
	l.report.Heads[l.name] = s.Sum
	l.report.Missing = slices.DeleteFunc(l.report.Missing, func(sum string) bool { return sum == s.Sum })
}

// judge says what is wrong with a seal itself; empty: nothing.
func (l *log) judge(s Seal) string {
	switch {
	case s.Sum != s.sum():
		return "the seal was changed"
	case l.prev != nil && s.Prev != l.prev.Sum:
		return "a seal before this one was removed or changed"
	case l.key.Given() && !l.key.signed(s):
		return "the seal is not signed with this key"
	case s.MAC == "":
		l.report.Unsigned++
	}
	return ""
}

// match compares what stands before a seal with what the seal names.
func (l *log) match(s Seal) {
	sealed := s.Entries
	if l.beginsAt(s) {
		sealed = sealed[len(sealed)-len(l.open):]
	}
	for i, want := range sealed {
		switch {
		case i >= len(l.open):
			l.breaks(want.ID, "the entry was removed")
		case l.open[i].ID == want.ID && l.open[i].Hash != want.Hash:
			l.breaks(want.ID, "the entry was changed")
		case l.open[i].ID != want.ID && names(l.open[i:], want.ID):
			l.breaks(l.open[i].ID, "the entry is not one that the next seal names")
		case l.open[i].ID != want.ID:
			l.breaks(want.ID, "the entry was removed")
		}
		if l.broken {
			break
		}
	}
	l.open = l.open[min(len(sealed), len(l.open)):]
}

// beginsAt says whether the log's beginning has gone with its retention, and
// some entries with it that this seal names.
func (l *log) beginsAt(s Seal) bool {
	return l.prev == nil && len(l.open) < len(s.Entries) && (s.Prev != "" || len(l.open) == 0)
}

func names(entries []Sealed, of string) bool {
	return slices.ContainsFunc(entries, func(e Sealed) bool { return e.ID == of })
}

// id is the store's number of a line: a time and a count within it.
type id struct{ time, n uint64 }

func readID(text string) (at id, err error) {
	millis, n, _ := strings.Cut(text, "-")
	if at.time, err = strconv.ParseUint(millis, 10, 64); err == nil {
		at.n, err = strconv.ParseUint(n, 10, 64)
	}
	if err != nil {
		return id{}, fmt.Errorf("id %q: %w", text, err)
	}
	return at, nil
}

func (a id) before(b id) bool { return a.time < b.time || a.time == b.time && a.n < b.n }

// breaks notes the first break of the log; what follows from it is no news.
func (l *log) breaks(at, why string) {
	if !l.broken {
		l.report.Breaks = append(l.report.Breaks, Break{Log: l.name, ID: at, Why: why})
	}
	l.broken = true
}
