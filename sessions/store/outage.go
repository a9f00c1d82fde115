package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// outage wraps what Redis or the network answered. Every such error is
// ErrUnavailable: unreachable, LOADING, READONLY, OOM, CLUSTERDOWN, a context
// that ended. The cause stays visible to errors.Is and to logs.
func outage(doing string, err error) error {
	return fmt.Errorf("%s: %w: %w", doing, ErrUnavailable, err)
}

// exec runs a pipeline. The library reports the first failure only, which may
// be the nil of something absent and hide a node that is down behind it.
func exec(ctx context.Context, pipe redis.Pipeliner, doing string) error {
	cmds, err := pipe.Exec(ctx)
	for _, cmd := range cmds {
		if e := cmd.Err(); e != nil && !absent(e) {
			return outage(doing, e)
		}
	}
	if err != nil && !absent(err) {
		return outage(doing, err)
	}
	return nil
}

// absent says whether a reply is Redis's nil and not a failure.
func absent(err error) bool { return errors.Is(err, redis.Nil) }
