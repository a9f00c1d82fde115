package redistest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// NodeTimeout is how long a node may be silent before its replica takes over;
// short, because tests wait for it.
const NodeTimeout = 4 * time.Second

// askTimeout bounds one question to a server that may be frozen; one that is
// only slow answers within it.
const askTimeout = 5 * time.Second

// ReplicatedCluster is three masters that share the slots, each with a replica.
type ReplicatedCluster struct {
	Cluster // six nodes, the first three were masters at first
}

// StartReplicatedCluster runs six nodes until the test ends.
func StartReplicatedCluster(tb testing.TB) *ReplicatedCluster {
	tb.Helper()
	c := &ReplicatedCluster{}
	tb.Cleanup(c.remove)
	c.Nodes = launchCluster(tb).Nodes
	for range masters {
		c.Nodes = append(c.Nodes, launch(tb, true))
	}
	if err := c.extend(); err != nil {
		tb.Fatalf("form a Redis cluster with replicas: %v", err)
	}
	return c
}

// Masters are the nodes that say that they serve slots.
func (c *ReplicatedCluster) Masters(ctx context.Context) []*Server {
	var found []*Server
	for _, n := range c.Nodes {
		if hasRole(ctx, n, "master") == nil {
			found = append(found, n)
		}
	}
	return found
}

// AwaitHealthy waits until every node runs, serves or follows, and all slots
// are covered.
func (c *ReplicatedCluster) AwaitHealthy(ctx context.Context) error {
	return poll(ctx, func() error {
		if len(c.Masters(ctx)) != masters {
			return errForming
		}
		for _, n := range c.Nodes {
			if err := c.healthy(ctx, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// AwaitFailover waits until the cluster serves all slots without this node.
func (c *ReplicatedCluster) AwaitFailover(ctx context.Context, from *Server) error {
	return poll(ctx, func() error {
		serving := 0
		for _, n := range c.Nodes {
			if n != from && hasRole(ctx, n, "master") == nil && stateOK(ctx, n) == nil {
				serving++
			}
		}
		if serving < masters {
			return errForming
		}
		return nil
	})
}

// Quicken lets a node give up others that are silent for so long. It is to be
// said again to one that was started again.
func (c *ReplicatedCluster) Quicken(ctx context.Context, n *Server, silence time.Duration) error {
	return n.do(ctx, "CONFIG", "SET", "cluster-node-timeout", silence.Milliseconds())
}

func (c *ReplicatedCluster) healthy(ctx context.Context, n *Server) error {
	if err := stateOK(ctx, n); err != nil {
		return err
	}
	if hasRole(ctx, n, "master") == nil {
		return nil
	}
	return synced(ctx, n)
}

// extend adds the replicas to the masters.
func (c *ReplicatedCluster) extend() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for i, n := range c.Nodes[masters:] {
		if err := n.do(ctx, "CLUSTER", "MEET", "127.0.0.1", strconv.Itoa(c.Nodes[i].port)); err != nil {
			return err
		}
	}
	for i, n := range c.Nodes[masters:] {
		if err := poll(ctx, func() error { return replicate(ctx, n, c.Nodes[i]) }); err != nil {
			return err
		}
	}
	for _, n := range c.Nodes {
		if err := c.Quicken(ctx, n, NodeTimeout); err != nil {
			return err
		}
	}
	return c.AwaitHealthy(ctx)
}

// replicate fails until the node has heard of its master.
func replicate(ctx context.Context, n, master *Server) error {
	c := master.plain()
	defer func() { _ = c.Close() }()
	id, err := c.Do(ctx, "CLUSTER", "MYID").Text()
	if err != nil {
		return fmt.Errorf("ask a node for its id: %w", err)
	}
	return n.do(ctx, "CLUSTER", "REPLICATE", id)
}

func follow(ctx context.Context, n, primary *Server) error {
	return n.do(ctx, "REPLICAOF", "127.0.0.1", strconv.Itoa(primary.port))
}

// hasRole is nil if the server says that it is a master, or a slave.
func hasRole(ctx context.Context, n *Server, role string) error {
	return n.says(ctx, "replication", "role:"+role)
}

// synced is nil if a replica has its primary's data and a link to it.
func synced(ctx context.Context, n *Server) error {
	return n.says(ctx, "replication", "master_link_status:up")
}

func stateOK(ctx context.Context, n *Server) error {
	c := n.plain()
	defer func() { _ = c.Close() }()
	info, err := c.ClusterInfo(ctx).Result()
	if err == nil && !strings.Contains(info, "cluster_state:ok") {
		err = errForming
	}
	return err
}

// says is nil if a section of INFO holds a line.
func (s *Server) says(ctx context.Context, section, line string) error {
	c := s.plain()
	defer func() { _ = c.Close() }()
	info, err := c.Info(ctx, section).Result()
	if err == nil && !strings.Contains(info, line) {
		err = errForming
	}
	return err
}

func (s *Server) do(ctx context.Context, args ...any) error {
	c := s.plain()
	defer func() { _ = c.Close() }()
	if err := c.Do(ctx, args...).Err(); err != nil {
		return fmt.Errorf("%v: %w", args, err)
	}
	return nil
}

// plain is a client that doesn't try again; the caller closes it.
func (s *Server) plain() *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: s.Addr(), MaxRetries: -1, DialerRetries: 1, DialTimeout: askTimeout, ReadTimeout: askTimeout,
	})
}
