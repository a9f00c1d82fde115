package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
)

// patience is how long tests wait for what happens beside them.
const patience = 60 * time.Second

// endless is a command that says its process id to whoever reads the pipe, and
// does not end.
const endless = "echo $$ > started; sleep 600 & sleep 600"

// pipe makes the named pipe that endless writes to.
func (s *scene) pipe() {
	s.Helper()
	require.NoError(s, syscall.Mkfifo(filepath.Join(s.work.Dir(), "started"), 0o600))
}

// started waits for the command and gives its process group.
func (s *scene) started() int {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.work.Dir(), "started"))
	require.NoError(s, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	require.NoError(s, err)
	return pid
}

// gone waits until nothing of a process group is left.
func (s *scene) gone(group int) {
	s.Helper()
	require.Eventually(s, func() bool { return syscall.Kill(-group, 0) == syscall.ESRCH }, patience, 10*time.Millisecond)
}

func TestACancelledTurnEndsItsCommandAndTheNextOneGoesOn(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.pipe()
	s.serve("h1",
		calls(call("c1", "run_shell_command", args{"command": endless})),
		expecting(say("Still here."), "Go on."),
	)
	tid := s.prompt("Wait.")
	group := s.started()
	_, err := s.person.CancelTurn(t.Context(), s.session, tid)
	require.NoError(t, err)
	s.gone(group)
	next := s.prompt("Go on.")
	require.Equal(t, "Still here.", *s.finished(next).Text)
	require.EqualValues(t, "aborted", *s.results()["c1"].Reason)
	conforming(t, s.until(client.EventTypeTurnCompleted, of(next)), 1)
}

func TestACallWhoseTimeIsOverReportsWhatItPrinted(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	tools := s.work.Tools()
	specs := []client.ToolSpec{tools[len(tools)-1].Spec}
	specs[0].TimeoutS = new(4)
	_, err := s.person.SetTools(t.Context(), s.session, specs)
	require.NoError(t, err)
	s.serve("h1",
		calls(call("c1", "run_shell_command", args{"command": "echo so far; sleep 600"})),
		expecting(say("Too slow."), "so far"),
	)
	require.Equal(t, "Too slow.", *s.finished(s.prompt("Run it.")).Text)
	require.EqualValues(t, "host_error", *s.results()["c1"].Reason)
}

func TestAHostThatIsStoppedEndsItsCommandsAndSaysSo(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.pipe()
	stop := s.serve("h1", calls(call("c1", "run_shell_command", args{"command": endless})))
	s.prompt("Wait.")
	group := s.started()
	stop()
	s.gone(group)
	require.EqualValues(t, "host_error", *s.results()["c1"].Reason)
	hosts, err := s.person.Hosts(t.Context(), s.session)
	require.NoError(t, err)
	require.Empty(t, hosts, "it has left")
}

func TestGroupsOfReadsRunTogether(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.serve("h1",
		calls(call("r1", "read_file", args{"file_path": "greet.txt"}), call("r2", "read_file", args{"file_path": "nowhere"}),
			call("r3", "list_directory", args{"path": "."})),
		expecting(say("Read."), "hello", "file does not exist", "greet.txt"),
	)
	require.Equal(t, "Read.", *s.finished(s.prompt("Read.")).Text)
}

func TestAModelThatFailsEndsItsTurnAndNotTheHost(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.serve("h1", expecting(say("Never said."), "something that nobody says"))
	turn := s.finished(s.prompt("Hello."))
	require.EqualValues(t, "error", *turn.StopReason)
	require.Contains(t, *turn.Text, "not what the script expects")
	turn = s.finished(s.prompt("something that nobody says"))
	require.EqualValues(t, "end_turn", *turn.StopReason)
}

func TestToolsThatTheHostDoesNotHaveAreAnError(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{
		Rules: &client.Rules{Allow: &[]string{"*"}}, Tools: &[]client.ToolSpec{{Name: "teleport", InputSchema: json.RawMessage(`{}`)}},
	})
	s.serve("h1", calls(call("c1", "teleport", nil)), expecting(say("No."), "has no tool teleport"))
	require.Equal(t, "No.", *s.finished(s.prompt("Go.")).Text)
}

func TestAHostEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	ended := s.run(t.Context(), "h1", nil)
	s.until(client.EventTypeHostAttached, func(json.RawMessage) bool { return true })
	require.NoError(t, s.person.CloseSession(t.Context(), s.session))
	require.NoError(t, <-ended)
}

func TestANewerHostTakesOver(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	first := s.run(context.WithoutCancel(t.Context()), "h1", nil)
	s.until(client.EventTypeHostAttached, func(json.RawMessage) bool { return true })
	s.serve("h2", say("I am here."))
	require.ErrorContains(t, <-first, "another host has taken over")
	require.Equal(t, "I am here.", *s.finished(s.prompt("Who?")).Text)
}
