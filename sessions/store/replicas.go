package store

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// warnReplicas says where a failover promotes what would not keep what was
// acknowledged, and where writes wait for others than those that are there. It
// refuses nothing: a replica that is away for a moment must not keep the
// gateway from serving reads and streams.
func (s *Store) warnReplicas(ctx context.Context, want int) error {
	var online []string
	err := s.eachMaster(ctx, "replication", func(i info) {
		if i["role"] != "master" {
			s.log.Warn("redis is a replica; it takes no writes unless it is promoted")
		}
		s.warnCount(want, len(i.replicas()))
		online = append(online, i.replicas()...)
	})
	if err != nil {
		return err
	}
	heirs := s.heirs(ctx, online)
	s.warnPriorities(heirs)
	s.warnHeirs(heirs)
	return nil
}

func (s *Store) warnCount(want, online int) {
	numbers := []any{slog.Int("waited_for", want), slog.Int("online", online)}
	switch {
	case online < want:
		s.log.Warn("redis has fewer replicas than writes wait for; they are answered not_replicated meanwhile", numbers...)
	case online > want && want > 0:
		s.log.Warn("redis has more replicas than writes wait for; one that lacks acknowledged writes may be promoted", numbers...)
	}
}

// warnPriorities says that there is nothing to fail over to. Under Cluster
// priorities don't count.
func (s *Store) warnPriorities(heirs []info) {
	if s.cluster || len(heirs) == 0 {
		return
	}
	for _, i := range heirs {
		if i["slave_priority"] != "0" {
			return
		}
	}
	s.log.Warn("no replica of redis can be promoted: replica-priority is 0 on all of them")
}

// warnHeirs says of replicas what the gateway does not start with at a primary:
// settings are each server's own.
func (s *Store) warnHeirs(heirs []info) {
	for _, i := range heirs {
		addr := slog.String("addr", i["addr"])
		if policy := i["maxmemory_policy"]; policy != "" && policy != noEviction {
			s.log.Warn("a replica of redis would throw away what was acknowledged once it is promoted",
				addr, slog.String("maxmemory_policy", policy))
		}
		if i["aof_enabled"] == "0" {
			s.log.Warn("a replica of redis has no append-only file; once it is promoted, a restart loses what came after the last snapshot", addr)
		}
	}
}

// heirs are what replicas say of themselves, all asked at once. One that can't be asked
// says nothing, so it may be promoted and has nothing wrong.
func (s *Store) heirs(ctx context.Context, addrs []string) []info {
	heirs := make([]info, len(addrs))
	var asked sync.WaitGroup
	for n, addr := range addrs {
		asked.Go(func() {
			if heirs[n] = s.ask(ctx, addr); heirs[n] == nil {
				heirs[n] = info{}
			}
			heirs[n]["addr"] = addr
		})
	}
	asked.Wait()
	return heirs
}

// ask reads what a server says of itself. Its address is the one that the
// primary knows, which may be of another network.
func (s *Store) ask(ctx context.Context, addr string) info {
	c := s.clientTo(addr)
	defer func() { _ = c.Close() }() // it was only asked
	i, err := readInfo(ctx, c)
	if err != nil {
		return nil
	}
	return i
}

// clientTo reaches another server as the one that is used.
func (s *Store) clientTo(addr string) *redis.Client {
	o := &redis.Options{
		Addr: addr, DialTimeout: dialTimeout, ReadTimeout: ioTimeout, DialerRetries: dialTries, MaxRetries: -1,
		MaintNotificationsConfig: noMaintenance(),
	}
	switch c := s.client.(type) {
	case *redis.Client:
		like := c.Options()
		o.Username, o.Password, o.CredentialsProvider, o.TLSConfig = like.Username, like.Password, like.CredentialsProvider, like.TLSConfig
	case *redis.ClusterClient:
		like := c.Options()
		o.Username, o.Password, o.CredentialsProvider, o.TLSConfig = like.Username, like.Password, like.CredentialsProvider, like.TLSConfig
	}
	return redis.NewClient(o)
}

// replicas are the addresses of those that follow without a gap:
// `slave0:ip=…,port=…,state=online,…`.
func (i info) replicas() []string {
	var out []string
	for name, line := range i {
		if !strings.HasPrefix(name, "slave") {
			continue
		}
		f := info{}
		for part := range strings.SplitSeq(line, ",") {
			if key, value, ok := strings.Cut(part, "="); ok {
				f[key] = value
			}
		}
		if f["state"] == "online" {
			out = append(out, net.JoinHostPort(f["ip"], f["port"]))
		}
	}
	return out
}
