package acp

import (
	"encoding/json"
	"maps"
	"path"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// tools is what is known of a session's tools.
type tools struct {
	cwd          string
	kinds        map[string]sdk.ToolKind
	known, heard int // revisions
}

// built are the tools that the gateway runs itself.
var built = map[string]sdk.ToolKind{
	"enter_plan_mode": sdk.ToolKindSwitchMode,
	"exit_plan_mode":  sdk.ToolKindSwitchMode,
	"read_output":     sdk.ToolKindRead,
}

func newTools(s client.SessionDocument) tools {
	t := tools{cwd: s.Cwd, kinds: maps.Clone(built), known: s.ToolsRevision, heard: s.ToolsRevision}
	for _, d := range s.Tools {
		t.kinds[d.Name] = kind(d)
	}
	return t
}

// kind is a declaration's, one to one; a tool that is read-only counts as read
// everywhere.
func kind(d client.ToolDeclaration) sdk.ToolKind {
	if d.ReadOnly {
		return sdk.ToolKindRead
	}
	return sdk.ToolKind(d.Kind)
}

// description is what a call looks like.
type description struct {
	title     string
	kind      sdk.ToolKind
	locations []sdk.ToolCallLocation
}

// The arguments that say what a call is about, by the gateway's usual names.
var (
	pathArguments  = []string{"file_path", "path", "absolute_path", "notebook_path", "directory", "dir_path"}
	otherArguments = []string{"command", "cmd", "url", "pattern", "query"}
)

// maxTitle bounds a title: it is one line in a list.
const maxTitle = 120

// describe says what a call looks like. Arguments that are not an object, or are
// not told, leave it with the tool's name.
func (t tools) describe(tool string, arguments json.RawMessage) description {
	d := description{title: tool, kind: sdk.ToolKindOther}
	if k, ok := t.kinds[tool]; ok {
		d.kind = k
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(arguments, &given) != nil {
		return d
	}
	if p := first(given, pathArguments); p != "" {
		d.title = title(tool, p)
		d.locations = []sdk.ToolCallLocation{{Path: t.absolute(p)}}
	} else if about := first(given, otherArguments); about != "" {
		d.title = title(tool, about)
	}
	return d
}

func (t tools) absolute(p string) string {
	if path.IsAbs(p) {
		return p
	}
	return path.Join(t.cwd, p)
}

// first is the first of some arguments that is a text.
func first(given map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(given[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

func title(tool, about string) string {
	line, _, more := strings.Cut(about, "\n")
	runes := []rune(tool + " " + line)
	if len(runes) > maxTitle {
		runes, more = runes[:maxTitle], true
	}
	if more {
		return string(runes) + "…"
	}
	return string(runes)
}
