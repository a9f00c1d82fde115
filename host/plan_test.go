package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
)

func TestAPersonApprovesAPlanAndTheHostCarriesItOut(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	s.serve("h1",
		calls(call("w1", "write_file", args{"file_path": "greet.txt", "content": "hi\n"}), call("e1", "enter_plan_mode", nil)),
		expecting(calls(call("r1", "read_file", args{"file_path": "greet.txt"}), call("g1", "grep_search", args{"pattern": "hel+o"})),
			"<system-reminder>", "Not executed"),
		expecting(calls(call("w2", "write_file", args{"file_path": "greet.txt", "content": "hi\n"})), "hello", "greet.txt:1"),
		expecting(calls(call("x1", "exit_plan_mode", args{"plan": "1. Say more in greet.txt."})), "plan mode"),
		expecting(calls(call("d1", "edit", args{"file_path": "greet.txt", "old_string": "hello", "new_string": "hello, world"})), "approved"),
		expecting(calls(call("t1", "run_shell_command", args{"command": "cat greet.txt"})), "Replaced 1"),
		expecting(say("It says more now."), "hello, world"),
	)
	tid := s.prompt("Say more.")
	s.answer("exit_plan_mode", client.ApprovalResponse{OptionID: "restore_previous"})
	turn := s.finished(tid)
	require.EqualValues(t, "end_turn", *turn.StopReason, "%s", *turn.Text)
	require.Equal(t, "It says more now.", *turn.Text)
	require.Equal(t, "hello, world\n", s.file("greet.txt"))

	results := s.results()
	require.EqualValues(t, "plan_boundary", *results["w1"].Reason)
	require.EqualValues(t, "plan_mode_denied", *results["w2"].Reason)
	for _, id := range []string{"e1", "r1", "g1", "x1", "d1", "t1"} {
		require.EqualValues(t, "success", results[id].Status, "%s: %s", id, results[id].Output)
	}
	events := s.until(client.EventTypeTurnCompleted, of(tid))
	conforming(t, events, 6)
	for _, e := range events { // what was denied never came to the host
		if e.Type == client.EventTypeCallDispatched {
			require.NotContains(t, string(e.Data), `"w1"`)
			require.NotContains(t, string(e.Data), `"w2"`)
		}
	}
}

func TestARejectedPlanComesBackWithWhatThePersonSaid(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{ApprovalMode: new(client.Mode("plan"))})
	s.serve("h1",
		expecting(calls(call("x1", "exit_plan_mode", args{"plan": "1. Delete it."})), "Tidy up.", "<system-reminder>"),
		expecting(say("I see."), "Keep the file."),
	)
	tid := s.prompt("Tidy up.")
	s.answer("exit_plan_mode", client.ApprovalResponse{OptionID: "reject", Feedback: new("Keep the file.")})
	require.Equal(t, "I see.", *s.finished(tid).Text)
	require.EqualValues(t, "approval_rejected", *s.results()["x1"].Reason)
	require.Equal(t, "hello\n", s.file("greet.txt"))
	conforming(t, s.until(client.EventTypeTurnCompleted, of(tid)), 1)
}
