package store

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// hook runs around every command and pipeline of a client.
type hook struct {
	redis.Hook
	around func(ctx context.Context, run func() error) error
}

func (hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (h hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return h.around(ctx, func() error { return next(ctx, cmd) })
	}
}

func (h hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return h.around(ctx, func() error { return next(ctx, cmds) })
	}
}

// cancelAfter ends a context after some commands.
func cancelAfter(n int32, cancel context.CancelFunc) redis.Hook {
	var ran atomic.Int32
	return hook{around: func(_ context.Context, run func() error) error {
		if ran.Add(1) == n {
			cancel()
		}
		return run()
	}}
}

// twice runs every command a second time, as the library does when a reply was lost.
func twice() redis.Hook {
	return hook{around: func(_ context.Context, run func() error) error {
		if err := run(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		return run()
	}}
}
