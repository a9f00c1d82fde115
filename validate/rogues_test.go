package validate_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/validate"
)

// employ makes a session that a rogue serves, with tools of which two only read.
func (d *deployment) employ(r *rogue) {
	d.Helper()
	schema := client.JSONSchema(`{"type":"object","properties":{"name":{"type":"string"}}}`)
	tool := func(name string, kind client.Kind) client.ToolSpec {
		return client.ToolSpec{Name: name, Kind: &kind, InputSchema: schema, TimeoutS: new(cmp.Or(r.timeout, 600))}
	}
	d.create(client.SessionSpec{Tools: &[]client.ToolSpec{tool("find", client.Search), tool("look", client.Think), tool("write", client.Edit)}})
	r.Client, r.sid = d.connect(d.key), d.session
	d.beside(r.run)
}

// violated are the codes of a report, each once.
func violated(r validate.Report) []validate.Code {
	codes := map[validate.Code]bool{}
	for _, c := range r.Checks {
		for _, v := range c.Violations {
			codes[v.Code] = true
		}
	}
	return slices.Sorted(maps.Keys(codes))
}

// besideAnEntry is a model that enters plan mode beside two calls.
var besideAnEntry = [][]string{{"find", "enter_plan_mode", "look"}}

// sends is a rogue whose model is sent something else than happened.
func sends(change func([]result) []result) *rogue {
	return &rogue{model: besideAnEntry, send: func(_ int, r []result) []result { return change(r) }}
}

func TestEveryRogueIsNamedForWhatItDoes(t *testing.T) {
	t.Parallel()
	shared := alone(t)
	for name, c := range map[string]struct {
		rogue *rogue
		want  []validate.Code
	}{
		"none": {&rogue{model: besideAnEntry}, nil},
		"runs a skipped sibling and says nothing": {
			&rogue{model: [][]string{{"write", "enter_plan_mode"}}, all: true},
			[]validate.Code{validate.CodeSiblingRun},
		},
		"runs a skipped sibling and tells its model": {sends(func(r []result) []result {
			r[0] = result{"call_id": r[0]["call_id"], "name": r[0]["name"], "status": "success", "output": "the output of find"}
			return r
		}), []validate.Code{"request_denial_missing"}},
		"leaves out a denial": {
			sends(func(r []result) []result { return r[:2] }),
			[]validate.Code{"request_denial_missing"},
		},
		"truncates the reminder": {sends(func(r []result) []result {
			whole := r[1]["output"].(string)
			r[1]["output"] = whole[:len(whole)/2]
			return r
		}), []validate.Code{"request_reminder_incomplete"}},
		"answers twice": {
			sends(func(r []result) []result { return append(r, r[2]) }),
			[]validate.Code{"request_duplicate_result"},
		},
		"reorders results": {
			sends(func(r []result) []result { return []result{r[1], r[0], r[2]} }),
			[]validate.Code{"request_wrong_order"},
		},
		"answers what nobody called": {sends(func(r []result) []result {
			return append(r, result{"call_id": "made_up", "name": "find", "status": "success", "output": ""})
		}), []validate.Code{"request_unknown_id"}},
		"drops a result from its model request": {&rogue{model: [][]string{{"find", "look"}}, send: func(_ int, r []result) []result {
			return r[:1]
		}}, []validate.Code{"request_missing_result"}},
		"alters a result": {&rogue{model: [][]string{{"find", "look"}}, send: func(_ int, r []result) []result {
			r[0]["output"] = "better"
			return r
		}}, []validate.Code{"request_result_altered"}},
		"reports some model requests only": {&rogue{model: [][]string{{"find"}, {"look"}}, send: func(i int, r []result) []result {
			if i == 1 {
				return nil
			}
			return r
		}}, []validate.Code{validate.CodeRequestUnreported}},
		"does not end its turn":          {&rogue{model: besideAnEntry, rest: true, lazy: true}, []validate.Code{validate.CodeTurnNotEnded}},
		"drops a result":                 {&rogue{handle: claimsOnly, lazy: true}, []validate.Code{validate.CodeResultDropped}},
		"reports when its time was over": {&rogue{handle: reportsLate, timeout: 1}, []validate.Code{validate.CodeResultDropped, validate.CodeResultLate}},
		"runs without a claim":           {&rogue{handle: runsUnclaimed}, []validate.Code{validate.CodeRunUnclaimed}},
		"claims late":                    {&rogue{handle: claimsLate, within: 100 * time.Millisecond}, []validate.Code{validate.CodeClaimLate}},
		"claims nothing":                 {&rogue{handle: ignores, lazy: true}, []validate.Code{validate.CodeCallIgnored}},
		"mixes up outputs":               {&rogue{handle: swaps}, []validate.Code{validate.CodeResultsSwapped}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := shared.of(t)
			d.employ(c.rogue)
			config := d.config()
			config.Prompt = "{canary}"
			if c.rogue.within > 0 {
				config.ClaimWithin = c.rogue.within
			}
			if c.rogue.lazy {
				config.Patience, config.TurnPatience = idleness, idleness
			}
			config.Canary = validate.Canary{
				Write: validate.Probe{Tool: "write", Arguments: []byte(`{"name":"{canary}"}`)},
				Read:  validate.Probe{Tool: "look", Arguments: []byte(`{"name":"{canary}"}`)},
			}
			if c.rogue.model == nil {
				config.Prompt = ""
			}
			r, err := validate.Run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, c.want, violated(r), table(t, r))
			require.Equal(t, client.ModeDefault, d.now().ApprovalMode)
			require.Nil(t, d.now().OpenBatchID)
			require.Nil(t, d.now().OpenTurnID)
		})
	}
}

func claimsOnly(ctx context.Context, r *rogue, bid string, d client.Dispatched) error {
	return r.claim(ctx, bid, d)
}

func ignores(context.Context, *rogue, string, client.Dispatched) error { return nil }

func runsUnclaimed(ctx context.Context, r *rogue, bid string, d client.Dispatched) error {
	return r.report(ctx, bid, d.Position, r.do(d.Tool, d.Arguments))
}

func claimsLate(ctx context.Context, r *rogue, bid string, d client.Dispatched) error {
	if err := pause(ctx, 300*time.Millisecond); err != nil {
		return err
	}
	return r.obey(ctx, bid, d)
}

// reportsLate reports behind the one second that a call has.
func reportsLate(ctx context.Context, r *rogue, bid string, d client.Dispatched) error {
	if err := r.claim(ctx, bid, d); err != nil {
		return err
	}
	if _, err := r.Await(ctx, r.sid, bid); err != nil {
		return err
	}
	err := r.report(ctx, bid, d.Position, "too late")
	if client.Is(err, client.CodeCallLate) {
		return nil
	}
	return err
}

// swaps gives the calls of a batch of two each other's output.
func swaps(ctx context.Context, r *rogue, bid string, d client.Dispatched) error {
	b, err := r.Batch(ctx, r.sid, bid)
	if err != nil {
		return err
	}
	if err := r.claim(ctx, bid, d); err != nil {
		return err
	}
	tool := d.Tool
	if len(b.Calls) == 2 {
		tool = b.Calls[1-d.Position].Tool
	}
	return r.report(ctx, bid, d.Position, r.do(tool, d.Arguments))
}
