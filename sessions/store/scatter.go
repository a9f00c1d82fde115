package store

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

// question adds the command about the i-th of some keys to a pipeline.
type question func(pipe redis.Pipeliner, i int) redis.Cmder

// scattering is one question about many keys.
type scattering struct {
	doing    string
	ask      question
	answered []bool // by key; each is written by one goroutine at a time
}

// scatter asks about many keys and answers about which of them something is
// known, and why not about the others. In a cluster every node is asked by
// itself: what a node that is away keeps must not be missing of all.
func (s *Store) scatter(ctx context.Context, doing string, keys []string, ask question) (answered []bool, err error) {
	q := &scattering{doing: doing, ask: ask, answered: make([]bool, len(keys))}
	cluster, ok := s.client.(*redis.ClusterClient)
	if !ok {
		return q.answered, q.put(ctx, s.client, places(len(keys)))
	}
	ctx, cancel := context.WithTimeout(ctx, opTimeout)
	defer cancel()
	var nodes errgroup.Group
	for node, share := range shares(ctx, cluster, keys) {
		nodes.Go(func() error { return q.putTo(ctx, cluster, node, share) })
	}
	return q.answered, nodes.Wait()
}

// places are all of n keys'.
func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// shares are the places of the keys by the node that serves them. Where none is
// known, it is the cluster's to find it.
func shares(ctx context.Context, cluster *redis.ClusterClient, keys []string) map[redis.Cmdable][]int {
	out := map[redis.Cmdable][]int{}
	for i, key := range keys {
		var client redis.Cmdable = cluster
		if node, err := cluster.MasterForKey(ctx, key); err == nil {
			client = node
		}
		out[client] = append(out[client], i)
	}
	return out
}

// putTo asks a node. What it refuses (a slot has moved) or could not be sent is
// the cluster client's to follow; a node that is silent stays so.
func (q *scattering) putTo(ctx context.Context, cluster *redis.ClusterClient, node redis.Cmdable, share []int) error {
	err := q.put(ctx, node, share)
	if err == nil || timedOut(err) || node == redis.Cmdable(cluster) {
		return err
	}
	cluster.ReloadState(ctx)
	open := slices.DeleteFunc(share, func(i int) bool { return q.answered[i] })
	return q.put(ctx, cluster, open)
}

// put asks a client about the keys at some places, until it fails.
func (q *scattering) put(ctx context.Context, client redis.Cmdable, places []int) error {
	for chunk := range slices.Chunk(places, maxPipelined) {
		pipe := client.Pipeline()
		cmds := make([]redis.Cmder, len(chunk))
		for n, i := range chunk {
			cmds[n] = q.ask(pipe, i)
		}
		err := exec(ctx, pipe, q.doing)
		for n, i := range chunk {
			q.answered[i] = cmds[n].Err() == nil || absent(cmds[n].Err())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
