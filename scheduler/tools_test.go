package scheduler_test

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// standardTools are the tools of the conformance cases, and the gateway's.
func (w *world) standardTools() []scheduler.Tool {
	tool := func(name string, kind permissions.Kind) scheduler.Tool {
		return scheduler.Tool{
			Permission:  permissions.Tool{Name: name, Kind: kind},
			Timeout:     10 * time.Minute,
			Fingerprint: name + "/1",
			Validate:    w.validate,
		}
	}
	gateway := func(name string, kind permissions.Kind) scheduler.Tool {
		t := tool(name, kind)
		t.Permission.Gateway = true
		return t
	}
	read, write := tool("read_file", permissions.KindRead), tool("write_file", permissions.KindEdit)
	read.Permission.Aliases, write.Permission.Aliases = []string{"ReadFile"}, []string{"WriteFile"}
	agent := tool("agent", permissions.KindThink)
	agent.Agent = true
	docs := tool("mcp__docs__lookup", permissions.KindOther)
	docs.Permission.ReadOnly = true
	page := gateway(scheduler.ToolReadOutput, permissions.KindRead)
	page.Permission.ReadOnly = true
	return []scheduler.Tool{
		read, write, agent, docs, page,
		tool("grep_search", permissions.KindSearch),
		tool("edit", permissions.KindEdit),
		tool("run_shell_command", permissions.KindExecute),
		tool("web_fetch", permissions.KindFetch),
		tool("todo_write", permissions.KindThink),
		tool("mystery", permissions.KindOther),
		gateway(scheduler.ToolEnterPlanMode, permissions.KindSwitchMode),
		gateway(scheduler.ToolExitPlanMode, permissions.KindSwitchMode),
	}
}

func (w *world) structuredTool() scheduler.Tool {
	return scheduler.Tool{
		Permission: permissions.Tool{Name: scheduler.ToolStructuredOutput, Kind: permissions.KindOther, Gateway: true},
		Validate:   w.validate,
	}
}

// errSchema is what a schema finds wrong.
var errSchema = errors.New(`at "/bad": not allowed`)

// validate stands for a schema without a property "bad".
func (w *world) validate(arguments []byte) error {
	w.validated[string(arguments)]++
	var object map[string]any
	if err := json.Unmarshal(arguments, &object); err != nil {
		return err
	}
	if _, bad := object["bad"]; bad {
		return errSchema
	}
	return nil
}

// tool is a declared tool, to be changed before compile.
func (w *world) tool(name string) *scheduler.Tool {
	i := slices.IndexFunc(w.tools, func(t scheduler.Tool) bool { return t.Permission.Name == name })
	require.GreaterOrEqual(w, i, 0, "no tool %s", name)
	return &w.tools[i]
}
