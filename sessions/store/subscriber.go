package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// subscriber is how a feed reaches the channels. Outside of Cluster mode there
// is one node, named "". In Cluster mode channels are sharded: each lives on
// the node of its slot, and one connection per node carries all of its
// channels. A subscription names one channel at a time, because Redis refuses
// several slots in one command.
type subscriber interface {
	// node names the node that serves a channel now.
	node(ctx context.Context, channel string) (string, error)
	// connect is a connection to that node, which may not have been made yet.
	connect(ctx context.Context, channel string) (*redis.PubSub, error)
	subscribe(ctx context.Context, ps *redis.PubSub, channel string) error
	unsubscribe(ctx context.Context, ps *redis.PubSub, channel string) error
	// refresh looks for the nodes again after a connection was lost.
	refresh(ctx context.Context)
	// moves says that channels may change their node.
	moves() bool
}

func (s *Store) subscriber() subscriber {
	if c, ok := s.client.(*redis.ClusterClient); ok {
		return sharded{client: c}
	}
	return single{client: s.client}
}

// single is one server, or a primary that Sentinel names.
type single struct{ client redis.UniversalClient }

func (single) moves() bool { return false }

func (single) refresh(context.Context) {}

func (single) node(context.Context, string) (string, error) { return "", nil }

func (s single) connect(ctx context.Context, _ string) (*redis.PubSub, error) {
	return s.client.Subscribe(ctx), nil
}

func (single) subscribe(ctx context.Context, ps *redis.PubSub, channel string) error {
	return ps.Subscribe(ctx, channel)
}

func (single) unsubscribe(ctx context.Context, ps *redis.PubSub, channel string) error {
	return ps.Unsubscribe(ctx, channel)
}

// sharded is a cluster.
type sharded struct{ client *redis.ClusterClient }

func (sharded) moves() bool { return true }

func (s sharded) refresh(ctx context.Context) { s.client.ReloadState(ctx) }

func (s sharded) node(ctx context.Context, channel string) (string, error) {
	c, err := s.client.MasterForKey(ctx, channel)
	if err != nil {
		s.refresh(ctx) // the next try may know better
		return "", fmt.Errorf("find the node of %s: %w", channel, err)
	}
	return c.Options().Addr, nil
}

func (s sharded) connect(ctx context.Context, channel string) (*redis.PubSub, error) {
	c, err := s.client.MasterForKey(ctx, channel)
	if err != nil {
		return nil, fmt.Errorf("find the node of %s: %w", channel, err)
	}
	return c.SSubscribe(ctx), nil
}

func (sharded) subscribe(ctx context.Context, ps *redis.PubSub, channel string) error {
	return ps.SSubscribe(ctx, channel)
}

func (sharded) unsubscribe(ctx context.Context, ps *redis.PubSub, channel string) error {
	return ps.SUnsubscribe(ctx, channel)
}
