package store

import (
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

// absent says whether a reply is Redis's nil and not a failure.
func absent(err error) bool { return errors.Is(err, redis.Nil) }
