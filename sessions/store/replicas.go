package store

import (
	"context"
	"log/slog"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// warnReplicas says where the replicas that writes wait for are not what a
// failover promotes. It refuses nothing: a replica that is away for a moment
// must not keep the gateway from serving reads and streams.
func (s *Store) warnReplicas(ctx context.Context, want int) error {
	if want == 0 {
		return nil
	}
	var primaries [][]string
	err := s.eachMaster(ctx, "replication", func(i info) { primaries = append(primaries, i.replicas()) })
	if err != nil {
		return err
	}
	for _, online := range primaries {
		s.warnCount(want, len(online))
		s.warnPriorities(ctx, online)
	}
	return nil
}

func (s *Store) warnCount(want, online int) {
	numbers := []any{slog.Int("waited_for", want), slog.Int("online", online)}
	switch {
	case online < want:
		s.log.Warn("redis has fewer replicas than writes wait for; they are answered not_replicated meanwhile", numbers...)
	case online > want:
		s.log.Warn("redis has more replicas than writes wait for; one that lacks acknowledged writes may be promoted", numbers...)
	}
}

// warnPriorities asks the replicas whether they may be promoted at all. Under
// Cluster priorities don't count; a replica that can't be asked may be.
func (s *Store) warnPriorities(ctx context.Context, online []string) {
	primary, ok := s.client.(*redis.Client)
	if !ok || len(online) == 0 {
		return
	}
	for _, addr := range online {
		if priority := priorityOf(ctx, primary.Options(), addr); priority != "0" {
			return
		}
	}
	s.log.Warn("no replica of redis can be promoted: replica-priority is 0 on all of them")
}

// priorityOf is a replica's priority; "" if it does not tell. Its address is
// the one that the primary knows, which may be of another network.
func priorityOf(ctx context.Context, like *redis.Options, addr string) string {
	c := redis.NewClient(&redis.Options{
		Addr: addr, Username: like.Username, Password: like.Password,
		CredentialsProvider: like.CredentialsProvider, TLSConfig: like.TLSConfig,
		DialTimeout: dialTimeout, ReadTimeout: ioTimeout, DialerRetries: dialTries, MaxRetries: -1,
		MaintNotificationsConfig: noMaintenance(),
	})
	defer func() { _ = c.Close() }() // it was only asked
	i, err := readInfo(ctx, c, "replication")
	if err != nil {
		return ""
	}
	return i["slave_priority"]
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
