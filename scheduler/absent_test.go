package scheduler_test

import (
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

// absent is the same session without the plan mode module.
type absent struct {
	state scheduler.State
	tools *scheduler.Registry
}

// compareAbsent runs the command where the module is absent: nothing is to be
// told apart, byte for byte.
func (w *world) compareAbsent(command func(scheduler.Env, scheduler.State) (scheduler.State, scheduler.Effects)) {
	w.Helper()
	if w.absent == nil {
		return
	}
	env := w.env
	env.Tools = w.absent.tools
	after, fx := command(env, w.absent.state)
	require.Equal(w, freeze(w, w.state), freeze(w, after))
	require.Equal(w, freeze(w, w.fx), freeze(w, fx))
	w.absent.state = after
}
