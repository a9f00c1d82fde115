package validate_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/validate"
)

func idOf(t *testing.T, e client.Event) string {
	t.Helper()
	var d struct {
		ID string `json:"id"`
	}
	require.NoError(t, json.Unmarshal(e.Data, &d))
	return d.ID
}

func TestWhatCannotBeValidatedIsLeftAlone(t *testing.T) {
	t.Parallel()
	shared := alone(t)
	for name, c := range map[string]struct {
		prepare func(*deployment)
		want    error
	}{
		"without a host": {func(d *deployment) { d.create(client.SessionSpec{}) }, validate.ErrNoHost},
		"closed": {func(d *deployment) {
			d.create(client.SessionSpec{})
			require.NoError(d, d.connect(d.key).CloseSession(d.Context(), d.session))
		}, validate.ErrClosed},
		"with an open turn": {func(d *deployment) {
			d.employ(&rogue{rest: true})
			_, err := d.connect(d.key).StartTurn(d.Context(), d.session, client.Text("Stay."))
			require.NoError(d, err)
		}, validate.ErrBusy},
		"with a budget": {func(d *deployment) {
			d.serve(client.SessionSpec{Runtime: new(client.Headless), MaxToolCalls: new(3)})
		}, validate.ErrBudget},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := shared.of(t)
			c.prepare(d)
			report, err := validate.Run(t.Context(), d.config())
			require.ErrorIs(t, err, c.want)
			require.Equal(t, validate.NotRun, report.Verdict)
			for b, err := range d.connect(d.key).Batches(t.Context(), d.session) {
				require.NoError(t, err)
				t.Errorf("batch %s was sent", b.ID)
			}
		})
	}
}

func TestWhereTheModeMayNotBeTouchedTheRestIsShown(t *testing.T) {
	t.Parallel()
	shared := alone(t)
	for name, spec := range map[string]client.SessionSpec{
		"a subagent":    {Agent: new(client.Subagent)},
		"a locked mode": {ApprovalModeLocked: new(true)},
		"without the plan mode": {Modules: &struct {
			PlanMode *bool `json:"plan_mode,omitempty"`
		}{new(false)}},
		"asking about reads": {Rules: &client.Rules{Ask: &[]string{"read"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := shared.of(t)
			d.serve(spec)
			config := d.config()
			config.Prompt = ""
			report, err := validate.Run(t.Context(), config)
			require.NoError(t, err)
			require.Empty(t, violated(report), table(t, report))
			require.Equal(t, validate.Conforming, report.Verdict, table(t, report))
			require.Equal(t, client.ModeDefault, d.now().ApprovalMode)
			require.Empty(t, d.now().OpenApprovals)
		})
	}
}

func TestAHostsKeyAloneLeavesTheModeAndCannotApprove(t *testing.T) {
	t.Parallel()
	d := replicated(t)
	d.serve(client.SessionSpec{})
	config := d.config()
	config.Key = hostOnlyKey
	report, err := validate.Run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, validate.Conforming, report.Verdict)
	require.Equal(t, 1, d.now().ModeRevision, "its mode was never touched")

	config.ApproverKey = approverKey
	report, err = validate.Run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, validate.Conforming, report.Verdict)
	for _, c := range report.Checks {
		if c.Name == "exit" || c.Name == "entry first" {
			require.Equal(t, validate.Passed, c.Outcome, table(t, report))
		}
	}
	require.Equal(t, client.ModeDefault, d.now().ApprovalMode)
}

func TestAnInterruptedValidationPutsTheSessionBack(t *testing.T) {
	t.Parallel()
	for _, at := range []client.EventType{
		client.EventTypePlanEntered, client.EventTypeBatchStarted, client.EventTypeCallDispatched, client.EventTypeTurnStarted,
	} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			d := alone(t)
			d.employ(&rogue{model: besideAnEntry})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go d.once(at, cancel)
			_, err := validate.Run(ctx, d.config())
			require.ErrorIs(t, err, context.Canceled)
			now := d.now()
			require.Equal(t, client.ModeDefault, now.ApprovalMode)
			require.Nil(t, now.OpenBatchID)
			require.Nil(t, now.OpenTurnID)
			active := client.ListSessionsParamsStatusActive
			for child, err := range d.connect(d.key).Sessions(t.Context(), client.ListSessionsParams{Parent: &d.session, Status: &active}) {
				require.NoError(t, err)
				t.Errorf("child %s is open", child.ID)
			}
		})
	}
}

// once calls back at the first event of a type.
func (d *deployment) once(kind client.EventType, then func()) {
	defer then()
	for e, err := range d.connect(d.key).Events(d.Context(), d.session, client.StreamOptions{Types: []string{string(kind)}}) {
		if err != nil || e.Type == string(kind) {
			return
		}
	}
}
