package sessions

import (
	"fmt"
	"strconv"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// A runtime view is a document for whoever runs a batch's calls. It stands in
// two places only, the open batch and what hosts are answered about it: not in
// events, transcripts or stored answers, so that it is gone when its call is.

// MaxRuntimeViewBytes is how long the runtime view of a batch or a call may be.
const MaxRuntimeViewBytes = 64 << 10

// The fields of a batch's hash for runtime views: the batch's, each call's own.
const (
	fieldView  = "v"
	prefixView = "v:"
)

// patchViews writes runtime views with their batch, and removes them with what
// they are for.
func patchViews(b *scheduler.Batch, fx *scheduler.Effects, patch *store.Patch) {
	if !fx.Submitted {
		if fx.BatchView {
			patch.Del = append(patch.Del, fieldView)
		}
		for _, i := range fx.Unviewed {
			patch.Del = append(patch.Del, prefixView+strconv.Itoa(i))
		}
		return
	}
	if b.RuntimeView != "" {
		patch.Set[fieldView] = b.RuntimeView
	}
	for i := range b.Calls {
		if view := b.Calls[i].RuntimeView; view != "" {
			patch.Set[prefixView+strconv.Itoa(i)] = view
		}
	}
}

func decodeViews(fields store.Fields, b *scheduler.Batch) {
	b.RuntimeView = fields[fieldView]
	for i := range b.Calls {
		b.Calls[i].RuntimeView = fields[prefixView+strconv.Itoa(i)]
	}
}

// checkViews names the runtime views that are too long.
func (in *Submission) checkViews(wrong *fields) {
	if len(in.RuntimeView) > MaxRuntimeViewBytes {
		wrong.add("/runtime_view", "is over %d bytes", MaxRuntimeViewBytes)
	}
	for i := range in.Calls {
		if len(in.Calls[i].RuntimeView) > MaxRuntimeViewBytes {
			wrong.add(fmt.Sprintf("/calls/%d/runtime_view", i), "is over %d bytes", MaxRuntimeViewBytes)
		}
	}
}

// revealed is a batch's view with its runtime views, for callers that run calls.
func revealed(c tenants.Caller, b *scheduler.Batch, v Batch) Batch {
	if !c.Is(tenants.RoleHost) {
		return v
	}
	v.RuntimeView = scheduler.RawJSON(b.RuntimeView)
	for i := range b.Calls {
		v.Calls[i].RuntimeView = scheduler.RawJSON(b.Calls[i].RuntimeView)
	}
	return v
}

func (a batchAt) viewFor(c tenants.Caller) Batch {
	if a.batch == nil {
		return Batch{}
	}
	return revealed(c, a.batch, a.view())
}

// revealBatch shows a command's batch to its caller.
func revealBatch(c tenants.Caller) func(*change, Batch) Batch {
	return func(ch *change, v Batch) Batch { return revealed(c, ch.batch, v) }
}

// revealClaims shows to who runs a call what is for it, or for its batch.
func revealClaims(ch *change, claims []Claim) []Claim {
	out := make([]Claim, len(claims))
	for i, cl := range claims {
		if cl.Granted {
			cl.Call.RuntimeView = scheduler.RawJSON(ch.batch.RuntimeViewOf(cl.Position))
		}
		out[i] = cl
	}
	return out
}
