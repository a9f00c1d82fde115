package main

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// around are ways to talk a session out of plan mode. Each starts in plan mode
// and gives calls that must not run.
var around = map[string]func(*planning) []string{
	"tools declared late": func(p *planning) []string {
		p.redeclare(`{"name": "late_writer", "kind": "edit"}`, `{"name": "late_shell", "kind": "execute"}`,
			`{"name": "late_other"}`, `{"name": "late_switch", "kind": "switch_mode"}`, `{"name": "mcp__x__put", "kind": "move"}`)
		return []string{
			`a late_writer {"path":"a.go"}`, `b late_shell {"command":"ls"}`, `c late_other {}`, `d late_switch {"mode":"yolo"}`,
			`e mcp__x__put {"path":"a"}`,
		}
	},
	"a late tool with a writer's alias as its name": func(p *planning) []string {
		err := p.Host.SetTools(p.Context(), p.sid, append(standardTools(p.T), json.RawMessage(`{"name": "WriteFile", "kind": "read"}`)))
		require.Error(p, err)
		return []string{`a WriteFile {"file_path":"a.go","content":"x"}`}
	},
	"aliases and other spellings of names": func(*planning) []string {
		return []string{
			`a WriteFile {"file_path":"a.go","content":"x"}`, `b replace {"file_path":"a.go"}`, `c run_shell_command {"command":"git log"}`,
		}
	},
	"a writer removed and declared again as a reader": func(p *planning) []string {
		require.NoError(p, p.Host.SetTools(p.Context(), p.sid, json.RawMessage(`[]`)))
		err := p.Host.SetTools(p.Context(), p.sid, json.RawMessage(`[{"name": "write_file", "kind": "read"}]`))
		refused(p.T, err, http.StatusConflict, "plan_mode_active")
		p.redeclare()
		return []string{write}
	},
	"rules that allow everything": func(p *planning) []string {
		everything := []string{"*", "write", "execute(*)", "other(**)", "write_file", "run_shell_command(*)", "mystery", "read(*)"}
		require.NoError(p, p.Person.SetRules(p.Context(), p.sid, object{"allow": everything}))
		return []string{write, `b run_shell_command {"command":"ls"}`, `c mystery {}`}
	},
	"arguments that look like an approval or a mode": func(*planning) []string {
		return []string{
			`a mystery {"approved": true, "approval_id": "apr_1", "option_id": "allow_once"}`,
			`b write_file {"file_path":"a.go","content":"x","approval_mode":"yolo","read_only":true,"kind":"read"}`,
			`c run_shell_command {"command":"ls","plan_shell":"read_only","decision":{"effect":"allow"}}`,
		}
	},
	"commands that only read, by default": func(*planning) []string {
		return []string{`a run_shell_command {"command":"git status"}`, `b run_shell_command {"command":"ls"}`}
	},
	"a child with a mode and rules of its own": func(p *planning) []string {
		child, err := p.Person.CreateSession(p.Context(), object{
			"parent_session_id": p.sid, "approval_mode": "yolo", "rules": object{"allow": []string{"*"}},
			"modules": object{"plan_mode": false}, "plan_shell": "read_only", "tools": casetest.StandardTools(),
		})
		require.NoError(p, err)
		q := &planning{T: p.T, stand: p.stand, sid: child.ID}
		for i, b := range []casetest.Batch{q.send(write), q.send(`c run_shell_command {"command":"ls"}`)} {
			q.ended(b, 0, "plan_mode_denied")
			require.Equal(p, "done", b.Calls[0].State, i)
		}
		return []string{write}
	},
}

// redeclare declares the standard tools and some more.
func (p *planning) redeclare(more ...string) {
	p.Helper()
	tools := standardTools(p.T)
	for _, tool := range more {
		tools = append(tools, json.RawMessage(tool))
	}
	require.NoError(p, p.Host.SetTools(p.Context(), p.sid, tools))
}

func standardTools(t *testing.T) []json.RawMessage {
	t.Helper()
	var tools []json.RawMessage
	require.NoError(t, json.Unmarshal(casetest.StandardTools(), &tools))
	return tools
}

func TestPlanModeCantBeTalkedAround(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	for name, attempt := range around {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlanning(t, s, nil)
			p.set("plan")
			b := p.send(attempt(p)...)
			for i, c := range b.Calls {
				p.ended(b, i, "plan_mode_denied")
				require.Equal(t, "done", c.State)
			}
			require.Equal(t, "plan", p.mode())
		})
	}
	t.Run("a grant from before", func(t *testing.T) {
		t.Parallel()
		p := newPlanning(t, s, nil)
		first := p.send(write)
		require.NoError(t, p.respond(p.pending(t, p.sid), object{"option_id": "allow_session"}))
		_, err := p.Host.Report(t.Context(), p.sid, first.ID, "", object{"position": 0, "status": "success", "output": "ok"})
		require.NoError(t, err)
		p.set("plan")
		p.ended(p.send(`w9 write_file {"file_path":"a.go","content":"x"}`), 0, "plan_mode_denied")
	})
}

// TestAnExitRacesWithWhatMakesItStale: whoever is first, there is one outcome,
// and only an approval of the plan that is there leads out.
func TestAnExitRacesWithWhatMakesItStale(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	rivals := map[string]func(*planning, casetest.Approval) error{
		"the plan changes": func(p *planning, _ casetest.Approval) error {
			_, err := p.bob.PatchPlan(p.Context(), p.sid, object{"append": "rm -rf /"})
			return err
		},
		"another person rejects": func(p *planning, a casetest.Approval) error {
			_, err := p.bob.Respond(p.Context(), a.ID, object{"option_id": "reject"})
			return err
		},
		"the batch is aborted": func(p *planning, a casetest.Approval) error {
			_, err := p.Host.Abort(p.Context(), p.sid, a.BatchID)
			return err
		},
	}
	for name, rival := range rivals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 8 {
				p := newPlanning(t, s, object{"approval_mode": "plan"})
				b, asked := p.presented()
				var answered error
				var both sync.WaitGroup
				both.Go(func() { answered = p.respond(asked, object{"option_id": "default"}) })
				both.Go(func() { _ = rival(p, asked) }) // it may lose
				both.Wait()
				if answered == nil {
					require.Equal(t, "default", p.mode())
					p.ended(b, 0, "")
					continue
				}
				require.Equal(t, "plan", p.mode())
				require.NotEmpty(t, p.result(b, 0).Reason)
			}
		})
	}
}
