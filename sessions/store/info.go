package store

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// info is one section of a node's INFO.
type info map[string]string

// eachMaster reads a section of INFO from every node that takes writes.
func (s *Store) eachMaster(ctx context.Context, section string, visit func(info)) error {
	cluster, ok := s.client.(*redis.ClusterClient)
	if !ok {
		i, err := readInfo(ctx, s.client, section)
		if err != nil {
			return err
		}
		visit(i)
		return nil
	}
	var mu sync.Mutex // the client visits nodes at once
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error {
		i, err := readInfo(ctx, c, section)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		visit(i)
		return nil
	})
	if err != nil {
		return outage("visit the nodes", err)
	}
	return nil
}

// readInfo reads a section, or with none all that are not asked for by name.
func readInfo(ctx context.Context, c redis.Cmdable, section ...string) (info, error) {
	text, err := c.Info(ctx, section...).Result()
	if err != nil {
		return nil, outage(strings.Join(append([]string{"read INFO"}, section...), " "), err)
	}
	return parseInfo(text), nil
}

func parseInfo(text string) info {
	out := info{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			out[name] = value
		}
	}
	return out
}

// number is a numeric field; 0 when it is missing.
func (i info) number(name string) float64 {
	n, err := strconv.ParseFloat(i[name], 64)
	if err != nil {
		return 0
	}
	return n
}
