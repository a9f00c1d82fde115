package store

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Replicas run what has to be acknowledged, and wait until as many replicas of
// Redis have it as the deployment asks for; late ones are [ErrNotReplicated].
// The mark is a key in the slot of the others, written to be waited for.
type Replicas interface {
	// RunConfirmed answers what the script said, also with late replicas.
	RunConfirmed(ctx context.Context, mark string, script *redis.Script, keys []string, args []any) (string, error)
	// GetConfirmed answers what a key holds; redis.Nil without waiting.
	GetConfirmed(ctx context.Context, mark, key string) (string, error)
}

// unconfirmed waits for no replica.
type unconfirmed struct{ client redis.UniversalClient }

var _ Replicas = unconfirmed{}

func (u unconfirmed) RunConfirmed(ctx context.Context, _ string, script *redis.Script, keys []string, args []any) (string, error) {
	return script.Run(ctx, u.client, keys, args...).Text()
}

func (u unconfirmed) GetConfirmed(ctx context.Context, _, key string) (string, error) {
	return u.client.Get(ctx, key).Result()
}
