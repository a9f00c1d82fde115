package main

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/features"
)

// citations are what docs/features.yaml cites; kind picks one kind of it.
func citations(t *testing.T, kind func(features.Citation) string) []features.Citation {
	t.Helper()
	f, err := os.Open("../../docs/features.yaml")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	list, err := features.Load(f)
	require.NoError(t, err)
	var found []features.Citation
	for _, feature := range list {
		for _, c := range feature.Evidence {
			if kind(c) != "" {
				found = append(found, c)
			}
		}
	}
	require.NotEmpty(t, found)
	return found
}

func TestEveryCitedCommandExists(t *testing.T) {
	t.Parallel()
	k, err := kong.New(&commandLine{}, options()...)
	require.NoError(t, err)
	var known []string
	for _, node := range k.Model.Leaves(true) {
		known = append(known, node.FullPath())
	}
	for _, c := range citations(t, func(c features.Citation) string { return c.Command }) {
		if strings.HasPrefix(c.Command, "gateway ") {
			require.Contains(t, known, c.Command)
		}
	}
}

func TestEveryCitedRouteIsRouted(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, c := range citations(t, func(c features.Citation) string { return c.Route }) {
		method, path, _ := strings.Cut(c.Route, " ")
		path = strings.NewReplacer("{sid}", "x", "{bid}", "x", "{aid}", "x", "{ref}", "x").Replace(path)
		req, err := http.NewRequestWithContext(t.Context(), method, r.base+path, http.NoBody)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		// Without a key a route asks for one, unless it needs none; what is not
		// routed is 404 or 405 before anybody is asked.
		require.Contains(t, []int{http.StatusOK, http.StatusUnauthorized}, resp.StatusCode, c.Route)
	}
}

// gates show that a module's tool is gated: that the pipeline treats calls of
// it as no other. Each answers whether it does in a session with the module
// on or off.
var gates = map[string]func(r *running, module string, on bool) bool{
	"enter_plan_mode": func(r *running, module string, on bool) bool {
		calls := r.submit(r.create(moduleSession(module, on)), "read_file", "enter_plan_mode")
		return reason(calls[0]) == "plan_boundary"
	},
	"exit_plan_mode": func(r *running, module string, on bool) bool {
		calls := r.submit(r.create(moduleSession(module, on)), "exit_plan_mode")
		return reason(calls[0]) == "plan_not_active"
	},
}

// moduleSession is a session with a tool that is allowed to read, and a module
// that is on or off.
func moduleSession(module string, on bool) object {
	return object{
		"modules": object{module: on},
		"tools":   []object{{"name": "read_file", "kind": "read"}},
		"rules":   object{"allow": []string{"read_file"}},
	}
}

func TestEveryCitedToolIsRegisteredAdvertisedAndGatedWithItsModuleOnly(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, c := range citations(t, func(c features.Citation) string { return c.Tool }) {
		gate, ok := gates[c.Tool]
		require.True(t, ok, "say how %s is gated", c.Tool)
		for _, on := range []bool{true, false} {
			require.Equal(t, on, r.registers(c, on), "%s is registered", c.Tool)
			require.Equal(t, on, r.advertises(c, on), "%s is advertised", c.Tool)
			require.Equal(t, on, gate(r, c.Module, on), "%s is gated", c.Tool)
		}
	}
}

// registers says whether the gateway knows the tool when it is called.
func (r *running) registers(c features.Citation, on bool) bool {
	calls := r.submit(r.create(moduleSession(c.Module, on)), c.Tool)
	return reason(calls[0]) != "tool_not_registered"
}

// advertises says whether models are told of the tool.
func (r *running) advertises(c features.Citation, on bool) bool {
	answer := r.ask(http.StatusOK, "GET", r.create(moduleSession(c.Module, on))+"/tools", nil)
	return slices.ContainsFunc(answer["tools"].([]any), func(tool any) bool { return tool.(object)["name"] == c.Tool })
}
