package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/session-gateway/gateway/internal/casetest"
)

// errRefused says that a request was refused that nothing should refuse.
var errRefused = errors.New("refused")

// host runs calls: it claims, executes and reports. Its rival in the same room
// wants the same calls.
type host struct {
	caller
	*room
	done map[position]bool
}

// do runs a call, if it is new or somebody still waits for it.
func (h *host) do(ctx context.Context, j job) {
	if j.again || !h.done[j.call] {
		h.done[j.call] = true
		h.work(ctx, j.call)
	}
}

func (h *host) work(ctx context.Context, at position) {
	granted := h.claim(ctx, at)
	if granted || h.chance.IntN(20) == 0 { // now and then one reports what it doesn't hold
		h.report(ctx, at, granted)
	}
}

func (h *host) claim(ctx context.Context, at position) bool {
	o := object{h.room, callLedger, at.String()}
	body := map[string]any{"host_id": h.name, "positions": []int{at.at}}
	a, s, err := h.post(ctx, h.path(at)+"/claims", body)
	if err != nil {
		h.world.histories.open(o, s, claimCall{h.name})
		return false
	}
	if a.Status != http.StatusOK {
		h.refused(ctx, "claim", at, a)
		return false
	}
	got := decode[struct{ Claims []casetest.Claim }](&h.caller, a).Claims
	if len(got) != 1 || got[0].Position != at.at {
		h.world.wrong("session %s: claim of %v answered %s", h.sid, at, a.Body)
		return false
	}
	h.world.histories.add(o, s, claimCall{h.name}, claimed{got[0].Granted, got[0].HeldBy})
	if got[0].Granted {
		h.world.tally.count("claims granted")
		h.note(func() { put(h.grants, at, h.name, true) })
	}
	return got[0].Granted
}

func (h *host) report(ctx context.Context, at position, holder bool) {
	o := object{h.room, callLedger, at.String()}
	output := outputOf(h.name, at)
	body := map[string]any{"host_id": h.name, "results": []any{
		map[string]any{"position": at.at, "status": "success", "output": output},
	}}
	a, s, err := h.post(ctx, h.path(at)+"/results", body)
	in := reportCall{h.name, output}
	switch {
	case err != nil:
		h.world.histories.open(o, s, in)
	case a.Status == http.StatusOK:
		h.world.histories.add(o, s, in, reported{""})
		h.world.tally.count("results acknowledged")
		h.note(func() { put(h.reports, at, h.name, output) })
	case a.Status == http.StatusConflict:
		h.world.histories.add(o, s, in, reported{decode[problem](&h.caller, a).Code})
		if holder {
			h.world.tally.count("results that came too late")
		}
	default:
		h.refused(ctx, "report", at, a)
	}
}

func (h *host) refused(ctx context.Context, what string, at position, a casetest.Answer) {
	if a.Status == http.StatusNotFound {
		h.stale(ctx, a.Status)
		return
	}
	h.world.wrong("session %s: %s of %v: %d %s", h.sid, what, at, a.Status, a.Body)
}

func (h *host) path(at position) string { return "/v1/sessions/" + h.sid + "/batches/" + at.batch }

// outputOf is what a host's run of a call puts out.
func outputOf(host string, at position) string { return fmt.Sprintf("%s ran %v", host, at) }

func (p position) String() string { return fmt.Sprintf("%s/%d", p.batch, p.at) }

// put sets a value in a map of maps.
func put[K, L comparable, V any](m map[K]map[L]V, k K, l L, v V) {
	if m[k] == nil {
		m[k] = map[L]V{}
	}
	m[k][l] = v
}
