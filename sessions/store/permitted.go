package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// permittedKey is what permissions are asked for. Nothing is ever there.
const permittedKey = "gw:{b0000}:permitted"

// refuseForbidden refuses a user who may not run a command that commits run. A
// script is not undone when one of its commands is denied: a session would be
// left half written. Redis looks at permissions when it queues the commands of a
// transaction, and this one is discarded.
func (s *Store) refuseForbidden(ctx context.Context) error {
	pipe, err := pipelineTo(ctx, s.client, permittedKey)
	if err != nil {
		return outage("find a node", err)
	}
	pipe.Do(ctx, "MULTI")
	for _, command := range s.committed() {
		pipe.Do(ctx, command...)
	}
	pipe.Do(ctx, "DISCARD")
	cmds, _ := pipe.Exec(ctx) // every command has its own error
	for _, cmd := range cmds {
		if err := cmd.Err(); redis.HasErrorPrefix(err, "NOPERM") {
			return fmt.Errorf("check Redis: %w: %s: %w", ErrInvalid, cmd.Name(), err)
		}
	}
	return nil
}

// committed are the commands of the scripts.
func (s *Store) committed() [][]any {
	const k = permittedKey
	return [][]any{
		{"SET", k, ""},
		{"APPEND", k, ""},
		{"GET", k},
		{"EXISTS", k},
		{"PEXPIRE", k, 1},
		{"HSET", k, "", ""},
		{"HDEL", k, ""},
		{"HGET", k, ""},
		{"HMGET", k, ""},
		{"SADD", k, ""},
		{"SREM", k, ""},
		{"ZADD", k, 0, ""},
		{"ZREM", k, ""},
		{"ZSCORE", k, ""},
		{"ZREMRANGEBYRANK", k, 0, 0},
		{"XADD", k, "1-0", "", ""},
		{"XRANGE", k, "-", "+"},
		{"XTRIM", k, "MINID", "0"},
		{"RENAME", k, k},
		{"DEL", k},
		{"UNLINK", k},
		{"TIME"},
		{s.publish, eventsChannel(0), ""},
	}
}
