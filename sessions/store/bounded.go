package store

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// bounded gives every command and pipeline of a client opTimeout, so that an
// outage is told within a request's patience however often the library tries.
type bounded struct{}

var _ redis.Hook = bounded{}

// DialHook leaves dialling as it is; it has its own limit.
func (bounded) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook bounds a command.
func (bounded) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		ctx, cancel := context.WithTimeout(ctx, opTimeout)
		defer cancel()
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook bounds a pipeline as a whole.
func (bounded) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		ctx, cancel := context.WithTimeout(ctx, opTimeout)
		defer cancel()
		return next(ctx, cmds)
	}
}
