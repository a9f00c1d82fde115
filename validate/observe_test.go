package validate_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/validate"
)

// busy prompts the session's host again and again until done.
func (d *deployment) busy(done <-chan struct{}) {
	d.Helper()
	person := d.connect(d.key)
	for {
		select {
		case <-done:
			return
		default:
		}
		started, err := person.StartTurn(d.Context(), d.session, client.Text("Go on."))
		require.NoError(d, err)
		d.over(started.ID)
	}
}

// over waits for a turn's end.
func (d *deployment) over(tid string) {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	for e, err := range d.connect(d.key).Events(ctx, d.session, client.StreamOptions{Types: []string{"turn.completed"}}) {
		require.NoError(d, err)
		event, err := e.Event()
		require.NoError(d, err)
		if e.Type == string(client.EventTypeTurnCompleted) && idOf(d.T, event) == tid {
			return
		}
	}
}

// observed is what observing finds while the host works.
func (d *deployment) observed() validate.Report {
	d.Helper()
	config := d.config()
	config.Observe = idleness
	done := make(chan struct{})
	var report validate.Report
	var err error
	go func() {
		defer close(done)
		report, err = validate.Run(d.Context(), config)
	}()
	d.busy(done)
	require.NoError(d, err)
	return report
}

func TestObservingJudgesWhatHappensAndSendsNothing(t *testing.T) {
	t.Parallel()
	shared := alone(t)
	for name, c := range map[string]struct {
		rogue *rogue
		want  []validate.Code
	}{
		"a good host":                          {&rogue{model: besideAnEntry}, nil},
		"a host that truncates":                {sends(func(r []result) []result { r[1]["output"] = "plan"; return r }), []validate.Code{"request_reminder_incomplete"}},
		"a host that keeps requests to itself": {&rogue{model: [][]string{{"find"}, {"look"}}, send: func(i int, r []result) []result { return r[i:] }}, []validate.Code{"request_missing_result"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := shared.of(t)
			d.employ(c.rogue)
			report := d.observed()
			require.Equal(t, c.want, violated(report), table(t, report))
			require.True(t, report.Observed)
			for b, err := range d.connect(d.key).Batches(t.Context(), d.session) {
				require.NoError(t, err)
				require.Equal(t, "rogue", *b.HostID, "every batch is the host's own")
			}
		})
	}
}

func TestObservingAnIdleSessionShowsNothing(t *testing.T) {
	t.Parallel()
	d := alone(t)
	d.employ(&rogue{})
	config := d.config()
	config.Observe = 50 * time.Millisecond
	report, err := validate.Run(t.Context(), config)
	require.NoError(t, err)
	for _, c := range report.Checks {
		require.Equal(t, validate.NotShown, c.Outcome, c.Name)
	}
	require.Equal(t, validate.NotRun, report.Verdict)
}
