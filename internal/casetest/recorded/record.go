package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/session-gateway/gateway/providers"
)

// ErrNoRecords says that a folder holds no records.
var ErrNoRecords = errors.New("no .json files in this folder")

// Record is a message with calls and what followed it.
type Record struct {
	Name         string          `json:"-"`
	Batch        json.RawMessage `json:"batch"`
	ThenAccepted []any           `json:"then_accepted"` // empty: not known
}

// Load reads all records of a folder and the folders in it, in the order of
// their names.
func Load(dir fs.FS) ([]Record, error) {
	var records []Record
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		r, err := read(dir, name)
		records = append(records, r)
		return err
	})
	if err == nil && len(records) == 0 {
		err = ErrNoRecords
	}
	return records, err
}

func read(dir fs.FS, name string) (Record, error) {
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		return Record{}, fmt.Errorf("read record: %w", err)
	}
	r := Record{Name: strings.TrimSuffix(name, ".json")}
	if err := json.Unmarshal(raw, &r); err != nil {
		return Record{}, fmt.Errorf("read record %s: %w", name, err)
	}
	return r, nil
}

// Asked is the format of the record's message and the calls in it.
func (r Record) Asked() (providers.Format, []providers.Asked, error) {
	var body struct {
		Format  providers.Format `json:"format"`
		Message json.RawMessage  `json:"message"`
	}
	if err := json.Unmarshal(r.Batch, &body); err != nil {
		return "", nil, fmt.Errorf("read batch: %w", err)
	}
	asked, err := providers.AskedIn(body.Format, body.Message)
	return body.Format, asked, err
}

// reserved are the gateway's own tools, which nobody declares.
var reserved = map[string]bool{
	"enter_plan_mode": true, "exit_plan_mode": true, "EnterPlanMode": true, "ExitPlanMode": true,
	"structured_output": true, "read_output": true,
}

// pseudoKinds are the kinds that tools named like a pseudo-tool must have.
var pseudoKinds = map[string]string{"read": "read", "write": "edit", "execute": "execute", "fetch": "fetch"}

// Tools declares the tools that calls name.
func Tools(asked []providers.Asked) []map[string]any {
	seen := map[string]bool{}
	tools := []map[string]any{}
	for _, a := range asked {
		if seen[a.Name] || reserved[a.Name] {
			continue
		}
		seen[a.Name] = true
		tool := map[string]any{"name": a.Name}
		if kind, ok := pseudoKinds[a.Name]; ok {
			tool["kind"] = kind
		}
		tools = append(tools, tool)
	}
	return tools
}
