package admin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/admin"
)

// read is an export of acme, as it is written.
func (d desk) read(t *testing.T) (lines []map[string]json.RawMessage) {
	t.Helper()
	require.NoError(t, d.Export(t.Context(), acme, "acme", func(l admin.ExportLine) error {
		text, err := json.Marshal(l)
		require.NoError(t, err)
		var line map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(text, &line))
		lines = append(lines, line)
		return nil
	}))
	return lines
}

// worked is a session of acme in which a file was read that is too large to be
// shown whole.
func (d desk) worked(t *testing.T, output string) string {
	t.Helper()
	ctx, none, first := t.Context(), sessions.Idempotency{}, 0
	c := tenants.Caller{Tenant: "acme", KeyID: "h", Subject: "h", Roles: []tenants.Role{tenants.RoleHost}}
	made, err := d.sessions.Create(ctx, c, none, sessions.Spec{
		Tools: []sessions.ToolSpec{{Name: "read_file", Kind: new(permissions.KindRead)}},
	})
	require.NoError(t, err)
	batch, err := d.sessions.Submit(ctx, c, none, made.Value.ID, sessions.Submission{
		Format: "native", Calls: []scheduler.Input{{ID: "c1", Name: "read_file", Arguments: `{"path":"a"}`}},
	})
	require.NoError(t, err)
	_, err = d.sessions.Report(ctx, c, none, made.Value.ID, batch.Value.ID, sessions.Report{
		Results: []sessions.HostResult{{Position: &first, Status: scheduler.StatusSuccess, Output: output}},
	})
	require.NoError(t, err)
	return made.Value.ID
}

func TestAnExportHoldsAllThatThereIs(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme", "globex")
	_, err := d.sessions.Create(t.Context(), globex, sessions.Idempotency{}, sessions.Spec{})
	require.NoError(t, err)
	output := strings.Repeat("a line of text\n", 3000)
	sid := d.worked(t, output)
	require.NoError(t, d.sessions.Note(t.Context(), acme, "acme", audit.Act{Type: audit.AdminAct, Operation: "createKey"}))

	count, head, entries := map[string]int{}, stream.Hash{}, ""
	for _, line := range d.read(t) {
		var kind string
		require.NoError(t, json.Unmarshal(line["type"], &kind))
		count[kind]++
		if id, of := line["session_id"]; of {
			require.Equal(t, `"`+sid+`"`, string(id), "nobody else's")
		}
		switch kind {
		case "output":
			var kept sessions.StoredOutput
			require.NoError(t, json.Unmarshal(line["data"], &kept))
			require.Equal(t, output, kept.Text)
		case "event":
			head = stream.Next(head, line["data"])
			id := stream.ID{Seq: uint64(count[kind]), Hash: head}
			require.Equal(t, `"`+id.String()+`"`, string(line["event_id"]), "the chain of the stream")
		case "audit":
			entries += string(line["data"])
		}
	}
	require.Equal(t, 1, count["session"])
	require.Equal(t, 1, count["batch"])
	require.Equal(t, 1, count["output"])
	require.Greater(t, count["event"], 4)
	require.Contains(t, entries, "createKey")
	require.Contains(t, entries, "call.decided")
}

func TestASessionThatGoesOnKeepsNoExportForEver(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme")
	sid := d.worked(t, "")
	events := func(each func() error) (seen int) {
		require.NoError(t, d.sessions.Events(t.Context(), acme, sid, func(stream.Event) error {
			seen++
			return each()
		}))
		return seen
	}
	before := events(func() error { return nil })
	require.Equal(t, before, events(func() error {
		_, err := d.sessions.PatchPlan(t.Context(), acme, sid, sessions.PlanPatch{Append: new("more")})
		return err
	}))
	require.Equal(t, 2*before, events(func() error { return nil }))
}
