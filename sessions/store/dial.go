package store

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Limits of the connection to Redis, unless the URL sets its own. An outage
// must turn into an answer within a request's patience.
const (
	dialTimeout = 2 * time.Second
	ioTimeout   = 3 * time.Second
	dialTries   = 1 // commands are retried as a whole
	// opTimeout is how long a command may take with all its repetitions, the
	// library's and a cluster's redirections. A server that freezes for a moment
	// (a fork, a full disk buffer) is waited for, and a failover isn't.
	opTimeout = 5 * time.Second
)

// dial connects to what the URL names. A single address that turns out to be
// a cluster's node gets a cluster client.
func dial(ctx context.Context, rawURL string) (client redis.UniversalClient, cluster bool, err error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, false, fmt.Errorf("read Redis URL: %w", ErrInvalid)
	}
	switch {
	case u.Query().Has("master_name"):
		client, err = dialSentinel(rawURL)
	case u.Query().Has("addr"):
		client, err = dialCluster(rawURL)
		cluster = true
	default:
		client, cluster, err = dialOne(ctx, rawURL)
	}
	if err != nil {
		return nil, false, err
	}
	client.AddHook(bounded{})
	return client, cluster, nil
}

func dialOne(ctx context.Context, rawURL string) (redis.UniversalClient, bool, error) {
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, false, fmt.Errorf("read Redis URL: %w: %w", ErrInvalid, err)
	}
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true // servers before 7.2 answer it with an error
	o.MaintNotificationsConfig = noMaintenance()
	timeouts(&o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.DialerRetries)
	client := redis.NewClient(o)
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return nil, false, closing(client, outage("ask Redis for its mode", err))
	}
	if !strings.Contains(info, "redis_mode:cluster") {
		return client, false, nil
	}
	if err := client.Close(); err != nil {
		return nil, false, outage("close first connection", err)
	}
	c, err := dialCluster(rawURL)
	return c, true, err
}

func dialCluster(rawURL string) (redis.UniversalClient, error) {
	o, err := redis.ParseClusterURL(rawURL)
	if err != nil {
		return nil, fmt.Errorf("read Redis URL: %w: %w", ErrInvalid, err)
	}
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true // servers before 7.2 answer it with an error
	o.MaintNotificationsConfig = noMaintenance()
	timeouts(&o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.DialerRetries)
	return redis.NewClusterClient(o), nil
}

func dialSentinel(rawURL string) (redis.UniversalClient, error) {
	o, err := redis.ParseFailoverURL(rawURL)
	if err != nil {
		return nil, fmt.Errorf("read Redis URL: %w: %w", ErrInvalid, err)
	}
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	timeouts(&o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.DialerRetries)
	return redis.NewFailoverClient(o), nil
}

// timeouts sets what the URL left open.
func timeouts(dial, read, write *time.Duration, tries *int) {
	for _, d := range []struct {
		value *time.Duration
		limit time.Duration
	}{{dial, dialTimeout}, {read, ioTimeout}, {write, ioTimeout}} {
		if *d.value == 0 {
			*d.value = d.limit
		}
	}
	if *tries == 0 {
		*tries = dialTries
	}
}

// noMaintenance saves a round trip per connection that open-source Redis
// answers with an error.
func noMaintenance() *maintnotifications.Config {
	return &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}
