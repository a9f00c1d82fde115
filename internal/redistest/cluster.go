package redistest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

const (
	masters = 3     // the least that Redis Cluster runs with
	slots   = 16384 // fixed by Redis Cluster
)

// Cluster is three masters that share the slots, without replicas.
type Cluster struct {
	Nodes []*Server
}

// StartCluster runs a cluster until the test ends.
func StartCluster(tb testing.TB) *Cluster {
	tb.Helper()
	c := launchCluster(tb)
	tb.Cleanup(c.remove)
	return c
}

// URL names every node, which makes the gateway use its cluster client.
func (c *Cluster) URL() string {
	var url strings.Builder
	url.WriteString(c.Nodes[0].URL() + "?addr=" + c.Nodes[1].Addr())
	for _, n := range c.Nodes[2:] {
		url.WriteString("&addr=" + n.Addr())
	}
	return url.String()
}

func launchCluster(tb testing.TB) *Cluster {
	tb.Helper()
	c := &Cluster{}
	for range masters {
		c.Nodes = append(c.Nodes, launch(tb, true))
	}
	if err := c.form(); err != nil {
		c.remove()
		tb.Fatalf("form a Redis cluster: %v", err)
	}
	return c
}

func (c *Cluster) remove() {
	for _, n := range c.Nodes {
		n.remove()
	}
}

// form gives every node its share of the slots and lets them meet.
func (c *Cluster) form() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	clients := make([]*redis.Client, len(c.Nodes))
	for i, n := range c.Nodes {
		clients[i] = redis.NewClient(&redis.Options{Addr: n.Addr()})
		defer func() { _ = clients[i].Close() }()
	}
	for i, cl := range clients {
		if err := c.assign(ctx, cl, i); err != nil {
			return err
		}
	}
	return poll(ctx, func() error { return allReady(ctx, clients) })
}

func (c *Cluster) assign(ctx context.Context, cl *redis.Client, i int) error {
	first, last := i*slots/masters, (i+1)*slots/masters-1
	if err := cl.Do(ctx, "CLUSTER", "SET-CONFIG-EPOCH", i+1).Err(); err != nil {
		return fmt.Errorf("set the epoch: %w", err)
	}
	if err := cl.ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
		return fmt.Errorf("assign slots: %w", err)
	}
	err := cl.ClusterMeet(ctx, "127.0.0.1", strconv.Itoa(c.Nodes[0].port)).Err()
	if err != nil {
		return fmt.Errorf("meet: %w", err)
	}
	return nil
}

var errForming = errors.New("cluster is still forming")

func allReady(ctx context.Context, clients []*redis.Client) error {
	for _, cl := range clients {
		info, err := cl.ClusterInfo(ctx).Result()
		if err != nil {
			return fmt.Errorf("read cluster info: %w", err)
		}
		known := "cluster_known_nodes:" + strconv.Itoa(masters)
		if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, known) {
			return errForming
		}
	}
	return nil
}
