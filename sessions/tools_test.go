package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// nested is a schema so many objects deep.
func nested(depth int) string {
	return strings.Repeat(`{"not":`, depth-1) + `{}` + strings.Repeat(`}`, depth-1)
}

func TestBadDeclarationsAreRefused(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	for name, c := range map[string]struct{ tools, fault string }{
		"no name":                    {`[{"name": ""}]`, "/tools/0/name"},
		"name with a space":          {`[{"name": "a b"}]`, "/tools/0/name"},
		"name with a parenthesis":    {`[{"name": "a("}]`, "/tools/0/name"},
		"unknown kind":               {`[{"name": "a", "kind": "magic"}]`, "/tools/0/kind"},
		"read-only editor":           {`[{"name": "a", "kind": "edit", "read_only": true}]`, "/tools/0/read_only"},
		"read-only deleter":          {`[{"name": "a", "kind": "delete", "read_only": true}]`, "/tools/0/read_only"},
		"read-only mover":            {`[{"name": "a", "kind": "move", "read_only": true}]`, "/tools/0/read_only"},
		"read-only shell":            {`[{"name": "a", "kind": "execute", "read_only": true}]`, "/tools/0/read_only"},
		"two of one name":            {`[{"name": "a"}, {"name": "a"}]`, "/tools/1"},
		"alias of another's name":    {`[{"name": "a"}, {"name": "b", "aliases": ["a"]}]`, "/tools/1"},
		"alias of another's alias":   {`[{"name": "a", "aliases": ["x"]}, {"name": "b", "aliases": ["x"]}]`, "/tools/1"},
		"alias of itself":            {`[{"name": "a", "aliases": ["a"]}]`, "/tools/0"},
		"reserved: entry":            {`[{"name": "enter_plan_mode"}]`, "/tools/0"},
		"reserved: exit":             {`[{"name": "exit_plan_mode"}]`, "/tools/0"},
		"reserved: answer":           {`[{"name": "structured_output"}]`, "/tools/0"},
		"reserved: pages":            {`[{"name": "read_output"}]`, "/tools/0"},
		"reserved as an alias":       {`[{"name": "a", "aliases": ["read_output"]}]`, "/tools/0"},
		"spelled like another":       {`[{"name": "fs.read"}, {"name": "fs_read"}]`, "/tools/1/name"},
		"spelled like the gateway's": {`[{"name": "exit.plan.mode"}]`, "/tools/0/name"},
		"read that writes":           {`[{"name": "read", "kind": "edit"}]`, "/tools/0/kind"},
		"write that reads":           {`[{"name": "write", "kind": "read"}]`, "/tools/0/kind"},
		"execute that fetches":       {`[{"name": "execute", "kind": "fetch"}]`, "/tools/0/kind"},
		"fetch that executes":        {`[{"name": "fetch", "kind": "execute"}]`, "/tools/0/kind"},
		"other that edits":           {`[{"name": "other", "kind": "edit"}]`, "/tools/0/kind"},
		"no time":                    {`[{"name": "a", "timeout_s": 0}]`, "/tools/0/timeout_s"},
		"endless time":               {`[{"name": "a", "timeout_s": 86401}]`, "/tools/0/timeout_s"},
		"bad alias":                  {`[{"name": "a", "aliases": ["b", ""]}]`, "/tools/0/aliases/1"},
		"subject that is no pointer": {`[{"name": "a", "subjects": {"path": ["/ok", "file"]}}]`, "/tools/0/subjects/path/1"},
		"schema too large":           {`[{"name": "a", "input_schema": {"title": "` + strings.Repeat("x", 64<<10) + `"}}]`, "/tools/0/input_schema"},
		"schema too deep":            {`[{"name": "a", "input_schema": ` + nested(33) + `}]`, "/tools/0/input_schema"},
		"schema of a wrong shape":    {`[{"name": "a", "input_schema": [1]}]`, "/tools/0/input_schema"},
		"schema against its rules":   {`[{"name": "a", "input_schema": {"type": "secret-value"}}]`, "/tools/0/input_schema"},
		"schema with a bad pattern":  {`[{"name": "a", "input_schema": {"pattern": "(secret-value"}}]`, "/tools/0/input_schema"},
		"schema with a dead end":     {`[{"name": "a", "input_schema": {"$ref": "#/$defs/secret-value"}}]`, "/tools/0/input_schema"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tools []sessions.ToolSpec
			require.NoError(t, json.Unmarshal([]byte(c.tools), &tools))
			_, err := a.SetTools(t.Context(), a.caller, sid, tools)
			p := refused(t, err, sessions.CodeInvalid)
			require.Contains(t, faults(p), c.fault)
			require.NotContains(t, fmt.Sprint(p.Fields), "secret-value", "a fault shows no value")
		})
	}
	t.Cleanup(func() {
		s, err := a.Get(context.Background(), a.caller, sid)
		require.NoError(t, err)
		require.Equal(t, int64(1), s.ToolsRevision, "a refused declaration changes nothing")
	})
}

func TestToolsNamedLikePseudoToolsMayHaveTheirKind(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for name, kinds := range map[string][]permissions.Kind{
		"read":    {permissions.KindRead, permissions.KindSearch},
		"write":   {permissions.KindEdit, permissions.KindDelete, permissions.KindMove},
		"execute": {permissions.KindExecute},
		"fetch":   {permissions.KindFetch},
		"other":   {permissions.KindOther, permissions.KindSwitchMode},
	} {
		for _, kind := range kinds {
			a.create(func(s *sessions.Spec) { s.Tools = []sessions.ToolSpec{{Name: name, Kind: &kind}} })
		}
	}
}

func TestSchemasUpToTheBoundsAreTaken(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	largest := `{"title":"` + strings.Repeat("x", 64<<10-12) + `"}`
	require.Len(t, largest, 64<<10)
	for _, schema := range []string{nested(32), largest, `true`, `{"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}`} {
		a.create(func(s *sessions.Spec) {
			s.Tools = []sessions.ToolSpec{{Name: "x", InputSchema: json.RawMessage(schema)}}
		})
	}
}

// TestAReferenceOutsideOfTheSchemaIsRefusedAndNothingIsRead serves a schema
// that would do and counts who asks for it.
func TestAReferenceOutsideOfTheSchemaIsRefusedAndNothingIsRead(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(`{"type": "object"}`))
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "schema.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"type": "object"}`), 0o600))
	for _, schema := range []string{
		`{"$ref": "file://` + file + `"}`, `{"$ref": "` + file + `"}`, `{"$ref": "` + server.URL + `"}`,
		`{"$schema": "` + server.URL + `"}`, `{"$id": "` + server.URL + `", "$ref": "other"}`,
		`{"allOf": [{"properties": {"x": {"$ref": "` + server.URL + `/x#/y"}}}]}`, `{"$dynamicRef": "` + server.URL + `"}`,
	} {
		_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{
			Tools: []sessions.ToolSpec{{Name: "x", InputSchema: json.RawMessage(schema)}},
		})
		p := refused(t, err, sessions.CodeInvalid)
		require.Equal(t, []string{"/tools/0/input_schema"}, faults(p), schema)
		require.NotContains(t, p.Fields[0].Detail, file)
		require.NotContains(t, p.Fields[0].Detail, server.URL)
	}
	require.Zero(t, asked.Load())
}

func TestWhatIsWrongWithArgumentsIsToldByPathAndNeverByValue(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) {
		s.Tools = []sessions.ToolSpec{{Name: "x", Kind: new(permissions.KindRead), InputSchema: json.RawMessage(
			`{"type": "object", "required": ["must"], "additionalProperties": false, "properties":
			 {"must": {"type": "string"}, "list": {"items": {"enum": ["a"]}}, "n": {"maximum": 3}, "p": {"pattern": "^a$"}}}`)}}
	}).ID
	b := a.send(sid, call("1", "x", `{"must": 5, "list": ["a", "hush"], "n": 777, "p": "hush"}`), call("2", "x", `{"zz": "hush"}`))
	for position, paths := range [][]string{{"/must", "/list/1", "/n", "/p"}, {"must", "zz"}} {
		r := b.Calls[position].Result
		require.Equal(t, scheduler.ErrorInvalidParams, r.Error.Type)
		require.Equal(t, scheduler.ReasonInvalidToolParams, *r.Reason)
		for _, path := range paths {
			require.Contains(t, r.Error.Message, path)
		}
		require.NotContains(t, r.Output+r.Error.Message, "hush")
		require.NotContains(t, r.Output+r.Error.Message, "777")
	}
}

func TestTheGatewaysToolsAreAdvertisedWithTheirModule(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	names := func(sid string) []string {
		tools, _, err := a.Tools(t.Context(), a.caller, sid)
		require.NoError(t, err)
		out := make([]string, len(tools))
		for i := range tools {
			out[i] = tools[i].Name
		}
		return out
	}
	declared := []string{"read_file", "write_file", "run_shell_command", "agent"}
	on := a.create(func(s *sessions.Spec) {
		s.StructuredOutput = &sessions.StructuredOutput{Schema: scheduler.RawJSON(`{"type": "object"}`)}
	})
	require.Equal(t, append(declared, "enter_plan_mode", "exit_plan_mode", "structured_output", "read_output"), names(on.ID))
	off := a.create(func(s *sessions.Spec) {
		require.NoError(t, json.Unmarshal([]byte(`{"modules": {"plan_mode": false}}`), s))
	})
	require.Equal(t, append(declared, "read_output"), names(off.ID))
	require.Equal(t, encoded(t, on.Plan), encoded(t, off.Plan), "the shape stays with the module off")
	b := a.send(off.ID, call("1", "enter_plan_mode", `{}`), call("2", "EnterPlanMode", `{}`))
	require.Equal(t, scheduler.ReasonToolNotRegistered, reason(t, b, 0))
	require.Equal(t, scheduler.ReasonToolNotRegistered, reason(t, b, 1))
	_, err := a.SetMode(t.Context(), a.caller, off.ID, permissions.ModePlan)
	require.Equal(t, []string{"/mode"}, faults(refused(t, err, sessions.CodeInvalid)))
}

func TestWhatPlanModeTookAwayIsNotGivenBackByAnotherDeclaration(t *testing.T) {
	t.Parallel()
	write := func(name string, kind permissions.Kind, aliases ...string) sessions.ToolSpec {
		return sessions.ToolSpec{Name: name, Kind: &kind, Aliases: aliases}
	}
	writer := write("edit", permissions.KindEdit, "Edit")
	for name, declarations := range map[string][][]sessions.ToolSpec{
		"removed, then declared as a reader":  {{}, {write("edit", permissions.KindRead)}},
		"removed, then its alias as a reader": {{}, {write("Edit", permissions.KindRead)}},
		"its name an alias of a reader":       {{write("look", permissions.KindRead, "edit")}},
		"its alias the name of a reader":      {{write("Edit", permissions.KindRead)}},
		"its alias another's":                 {{write("edit", permissions.KindEdit), write("look", permissions.KindRead, "Edit")}},
		"a built-in alias of it a reader":     {{writer, write("replace", permissions.KindRead)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := embedded(t)
			sid := a.create(func(s *sessions.Spec) {
				s.ApprovalMode = new(permissions.ModePlan)
				s.Tools = []sessions.ToolSpec{writer}
			}).ID
			for i, tools := range declarations {
				_, err := a.SetTools(t.Context(), a.caller, sid, tools)
				if i < len(declarations)-1 {
					require.NoError(t, err)
					continue
				}
				require.Equal(t, sessions.CodePlanModeActive, problem(t, err).Code)
			}
			_, err := a.SetTools(t.Context(), a.caller, sid, []sessions.ToolSpec{writer, write("look", permissions.KindRead)})
			require.NoError(t, err, "the same again, and a new one")
			_, err = a.SetMode(t.Context(), a.caller, sid, permissions.ModeDefault)
			require.NoError(t, err)
			_, err = a.SetTools(t.Context(), a.caller, sid, []sessions.ToolSpec{write("edit", permissions.KindRead)})
			require.NoError(t, err, "outside of plan mode it is the host's business")
		})
	}
}
