package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/sessions/store"
)

// pingTimeout bounds the question to the store behind /readyz; probes give up
// after about two seconds.
const pingTimeout = time.Second

// errStopping says that the gateway was told to stop.
var errStopping = errors.New("the gateway is stopping")

// readiness answers /readyz.
type readiness struct {
	store    *store.Store
	stopping atomic.Bool
}

// stop makes every further answer a no.
func (r *readiness) stop() { r.stopping.Store(true) }

// check says whether requests can be served now.
func (r *readiness) check(ctx context.Context) (api.Readiness, error) {
	state := api.Readiness{Store: "redis", Volatile: r.store.Volatile()}
	if state.Volatile {
		state.Store = embedded
	}
	if r.stopping.Load() {
		state.Detail = errStopping.Error()
		return state, errStopping
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if err := r.store.Ping(ctx); err != nil {
		state.Detail = "the store does not answer"
		return state, err
	}
	return state, nil
}
