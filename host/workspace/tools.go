package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// Tool is something that an agent can do, and how it is declared.
type Tool struct {
	Spec client.ToolSpec
	Run  func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// Tools are all tools of the workspace, in the order in which they are declared.
func (w *Workspace) Tools() []Tool {
	return []Tool{
		tool("read_file", "read", "Read a text file, or so many lines of it from a line on (1 is the first).", w.readFile, readSchema),
		tool("list_directory", "read", "List a directory, one entry a line, directories with a slash.", w.listDirectory, pathSchema),
		tool("glob", "search", "Find files by a pattern such as **/*.go.", w.glob, globSchema),
		tool("grep_search", "search", "Search files by a regular expression (RE2), with file and line of each match.", w.grep, grepSchema),
		tool("write_file", "edit", "Write a text file, making its directories; what was in it is replaced.", w.writeFile, writeSchema),
		tool("edit", "edit", "Replace a text in a file by another. The old text must occur exactly once unless replace_all is set.", w.edit, editSchema),
		tool("run_shell_command", "execute", "Run a command with sh in the workspace and give what it printed.", w.run, runSchema),
	}
}

// tool makes a tool of a function with typed arguments.
func tool[A any](name, kind, description string, run func(context.Context, A) (string, error), schema string) Tool {
	return Tool{
		Spec: client.ToolSpec{
			Name: name, Kind: new(client.Kind(kind)), Description: &description, InputSchema: client.JSONSchema(schema),
		},
		Run: func(ctx context.Context, arguments json.RawMessage) (string, error) {
			var a A
			if err := json.Unmarshal(arguments, &a); err != nil {
				return "", fmt.Errorf("read the arguments of %s: %w", name, err)
			}
			return run(ctx, a)
		},
	}
}

// The schemas of the tools' arguments.
const (
	readSchema = `{"type":"object","required":["file_path"],"additionalProperties":false,"properties":{` +
		`"file_path":{"type":"string"},"offset":{"type":"integer","minimum":1},"limit":{"type":"integer","minimum":1}}}`
	pathSchema  = `{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"}}}`
	globSchema  = `{"type":"object","required":["pattern"],"additionalProperties":false,"properties":{"pattern":{"type":"string"},"path":{"type":"string"}}}`
	grepSchema  = `{"type":"object","required":["pattern"],"additionalProperties":false,"properties":{"pattern":{"type":"string"},"path":{"type":"string"},"include":{"type":"string"}}}`
	writeSchema = `{"type":"object","required":["file_path","content"],"additionalProperties":false,"properties":{` +
		`"file_path":{"type":"string"},"content":{"type":"string"}}}`
	editSchema = `{"type":"object","required":["file_path","old_string","new_string"],"additionalProperties":false,"properties":{` +
		`"file_path":{"type":"string"},"old_string":{"type":"string","minLength":1},"new_string":{"type":"string"},"replace_all":{"type":"boolean"}}}`
	runSchema = `{"type":"object","required":["command"],"additionalProperties":false,"properties":{"command":{"type":"string","minLength":1}}}`
)

// errTooLarge says that a file is over a limit.
var errTooLarge = errors.New("the file is too large")
