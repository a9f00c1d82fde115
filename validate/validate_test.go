package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/validate"
)

// table is a report as people read it.
func table(t *testing.T, r validate.Report) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, r.WriteTable(&text))
	return text.String()
}

func TestTheReferenceHostConformsOnThreeReplicasBehindAProxy(t *testing.T) {
	t.Parallel()
	d := replicated(t)
	d.serve(client.SessionSpec{ApprovalMode: new(client.ModeAutoEdit)}, entering()...)
	c := d.config()
	c.ApproverKey = approverKey
	c.Canary = validate.Canary{
		Write: validate.Probe{Tool: "write_file", Arguments: []byte(`{"file_path":"left.txt","content":"{canary}"}`)},
		Read:  validate.Probe{Tool: "read_file", Arguments: []byte(`{"file_path":"left.txt"}`)},
	}
	r, err := validate.Run(t.Context(), c)
	require.NoError(t, err)
	for _, check := range r.Checks {
		require.Equal(t, validate.Passed, check.Outcome, table(t, r))
	}
	require.Equal(t, validate.Conforming, r.Verdict)
	now := d.now()
	require.Equal(t, client.ModeAutoEdit, now.ApprovalMode, "the mode is as it was")
	require.Equal(t, []string{"reference"}, now.Hosts, "the host serves on")
	require.Empty(t, now.Plan.Text)
}
