package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/internal/casetest"
)

// validations are as many as a script lasts for: far more than a rolling
// restart leaves time for.
const validations = 200

// entryBesideCalls is the script of a model that enters plan mode beside a read
// and a write, and then is done, once for each validation.
func entryBesideCalls(t *testing.T) string {
	t.Helper()
	var script model.Script
	for i := range validations {
		call := func(name string, arguments map[string]any) model.StepCall {
			return model.StepCall{ID: fmt.Sprint(name, i), Name: name, Arguments: arguments}
		}
		script.Steps = append(script.Steps, model.Step{Calls: []model.StepCall{
			call("list_directory", object{"path": "."}),
			call("enter_plan_mode", object{"userRequested": true}),
			call("write_file", object{"file_path": "left.txt", "content": "left"}),
		}}, model.Step{Text: "done"})
	}
	raw, err := json.Marshal(script) // JSON is YAML
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "script.yaml")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

// startHost runs `gateway host` with a session of its own until the test ends,
// and gives the session once the host is attached.
func startHost(t *testing.T, base string) (sid string) {
	t.Helper()
	cmd := exec.Command("gateway", "host", "--url="+base, "--workspace="+t.TempDir(), "--model=scripted:"+entryBesideCalls(t))
	cmd.Env, cmd.Stderr = append(cmd.Environ(), "GATEWAY_KEY="+keyOf("agent-host")), t.Output()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		assert.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		assert.NoError(t, cmd.Wait())
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err, "the host ended before it served")
	sid = strings.TrimPrefix(strings.TrimSpace(line), "gateway host serves ")
	feed := standAt(t, base).follow(t, sid, casetest.Chain{})
	until(t, feed, "host.attached")
	return sid
}

// keepValidating lets `gateway validate` probe a reference host through a proxy,
// again and again. What it gives ends that after the run at work, and wants
// each to have found the deployment conforming.
func keepValidating(t *testing.T, base string) (conforming func()) {
	t.Helper()
	sid := startHost(t, base)
	var enough atomic.Bool
	runs := make(chan int, 1)
	go func() {
		n := 0
		for ok := true; ok && n < validations && (n == 0 || !enough.Load()); n++ {
			ok = validated(t, base, sid)
		}
		runs <- n
	}()
	return func() {
		t.Helper()
		enough.Store(true)
		t.Logf("validated %d times", <-runs)
	}
}

// validated says whether one run of `gateway validate` finds no fault.
func validated(t *testing.T, base, sid string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "gateway", "validate", "--url="+base, "--session="+sid)
	cmd.Env = append(cmd.Environ(), "GATEWAY_KEY="+keyOf("inspector"), "GATEWAY_APPROVER_KEY="+keyOf("alice"))
	out, err := cmd.CombinedOutput()
	return assert.NoError(t, err, "%s", out) && assert.Contains(t, string(out), sid+": conforming")
}
