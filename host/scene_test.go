package host_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/host/workspace"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// scene is a gateway, a workspace, a session in it, and a person.
type scene struct {
	*testing.T
	base    string
	person  *client.Client
	work    *workspace.Workspace
	session string
}

// connect is a client of a gateway.
func connect(t *testing.T, base string) *client.Client {
	t.Helper()
	c, err := client.New(base, gatewaytest.Key, client.WithHTTPClient(gatewaytest.HTTPClient(t)))
	require.NoError(t, err)
	return c
}

// enact starts a scene with a gateway of its own.
func enact(t *testing.T, spec client.SessionSpec) *scene {
	t.Helper()
	return enactAt(t, gatewaytest.Start(t).Base, spec)
}

// enactAt starts a scene with a file in the workspace.
func enactAt(t *testing.T, base string, spec client.SessionSpec) *scene {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "greet.txt"), []byte("hello\n"), 0o600))
	work, err := workspace.Open(dir, os.Environ())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, work.Close()) })
	s := &scene{T: t, base: base, work: work}
	s.person = connect(t, s.base)
	spec.Cwd = new(work.Dir())
	session, err := s.person.CreateSession(t.Context(), spec)
	require.NoError(t, err)
	s.session = session.ID
	return s
}

// run runs a host with a script; what it ends with comes from the channel.
func (s *scene) run(ctx context.Context, id string, steps []model.Step) <-chan error {
	s.Helper()
	h := host.New(host.Config{
		Client: connect(s.T, s.base), Session: s.session, HostID: id, Tools: s.work.Tools(),
		Chat: model.NewScripted(&model.Script{Steps: steps}),
		Log:  slog.New(slog.NewTextHandler(s.Output(), nil)),
	})
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	return ended
}

// serve runs a host with a script until the test is over, or is told to stop.
func (s *scene) serve(id string, steps ...model.Step) (stop func()) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	ended := s.run(ctx, id, steps)
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(s, <-ended, context.Canceled)
	})
	s.Cleanup(stop)
	return stop
}

// prompt starts a turn.
func (s *scene) prompt(text string) string {
	s.Helper()
	turn, err := s.person.StartTurn(s.Context(), s.session, client.Text(text))
	require.NoError(s, err)
	return turn.ID
}

// until follows the session from its beginning to the first event of a type
// that fits.
func (s *scene) until(kind client.EventType, fits func(json.RawMessage) bool) []client.Event {
	s.Helper()
	var seen []client.Event
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for e, err := range s.person.Events(ctx, s.session, client.StreamOptions{}) {
		require.NoError(s, err)
		event, err := e.Event()
		require.NoError(s, err)
		seen = append(seen, event)
		if event.Type == kind && fits(event.Data) {
			return seen
		}
	}
	s.Fatalf("the session ended before %s", kind)
	return nil
}

// of says whether an event's document has an id.
func of(id string) func(json.RawMessage) bool {
	return func(data json.RawMessage) bool {
		var d struct {
			ID string `json:"id"`
		}
		return json.Unmarshal(data, &d) == nil && d.ID == id
	}
}

// finished waits for a turn's end.
func (s *scene) finished(tid string) client.Turn {
	s.Helper()
	s.until(client.EventTypeTurnCompleted, of(tid))
	turn, err := s.person.Turn(s.Context(), s.session, tid)
	require.NoError(s, err)
	return turn
}

// answer waits for a question about a tool and answers it.
func (s *scene) answer(tool string, r client.ApprovalResponse) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for e, err := range s.person.Events(ctx, s.session, client.StreamOptions{Types: []string{"approval.requested"}}) {
		require.NoError(s, err)
		event, err := e.Event()
		require.NoError(s, err)
		var a client.Approval
		require.NoError(s, json.Unmarshal(event.Data, &a))
		now, err := s.person.Approval(s.Context(), a.ID)
		require.NoError(s, err)
		if a.Tool == tool && now.Status == "pending" {
			_, err = s.person.Respond(s.Context(), a.ID, r)
			require.NoError(s, err)
			return
		}
	}
}

// file is a file of the workspace; empty if there is none.
func (s *scene) file(name string) string {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.work.Dir(), name))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(s, err)
	return string(b)
}

// results are what the session's calls came to, by the model's id of the call.
// Each has one, and what was sent to the model was found in order.
func (s *scene) results() map[string]client.Result {
	s.Helper()
	found := map[string]client.Result{}
	for b, err := range s.person.Batches(s.Context(), s.session) {
		require.NoError(s, err)
		whole, err := s.person.Batch(s.Context(), s.session, b.ID)
		require.NoError(s, err)
		for _, c := range whole.Calls {
			require.NotContains(s, found, c.ID)
			require.NotNil(s, c.Result, "%s has no result", c.ID)
			found[c.ID] = *c.Result
		}
	}
	return found
}

// conforming wants every next model request that was checked to have been fine.
func conforming(t *testing.T, events []client.Event, n int) {
	t.Helper()
	checked := 0
	for _, e := range events {
		if e.Type == client.EventTypeModelRequestChecked {
			require.Contains(t, string(e.Data), `"conforming"`)
			checked++
		}
	}
	require.Equal(t, n, checked)
}

type args = map[string]any

func call(id, name string, arguments args) model.StepCall {
	return model.StepCall{ID: id, Name: name, Arguments: arguments}
}

func calls(c ...model.StepCall) model.Step { return model.Step{Calls: c} }

func say(text string) model.Step { return model.Step{Text: text} }

// expecting adds what the model has to have been told before a step.
func expecting(s model.Step, texts ...string) model.Step {
	s.Expect = texts
	return s
}

// allowing is a session in which nobody is asked about tools.
func allowing() client.SessionSpec {
	return client.SessionSpec{Rules: &client.Rules{Allow: &[]string{"*"}}}
}
