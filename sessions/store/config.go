package store

import (
	"fmt"
	"log/slog"
	"net/url"
)

// Embedded is the URL of the in-process server.
const Embedded = "embedded"

// DefaultEmbeddedMemory is the live heap from which the embedded server counts
// as full: enough for days of development, small enough for a laptop.
const DefaultEmbeddedMemory = 512 << 20

// Config says where sessions are kept.
type Config struct {
	// URL is one of
	//
	//	embedded                                            in-process, volatile
	//	redis://[user:password@]host:port[/db]              one server, or any node of a cluster
	//	redis://…?addr=host2:port&addr=host3:port           a cluster, several nodes to start from
	//	redis://…?master_name=name[&addr=host2:port…]       Sentinel; the hosts are sentinels
	//	rediss://…                                          any of them over TLS
	//
	// with the client library's options as further parameters (pool_size,
	// read_timeout, …).
	URL string
	// Replicas is how many replicas must have a write before it is acknowledged;
	// 0 waits for none. The embedded server has none.
	Replicas int
	// Logger gets what operators should know; nil discards.
	Logger *slog.Logger
	// Observer is told what the store does; nil: nobody is.
	Observer Observer
	// EmbeddedMemory is the embedded server's cap in bytes; 0 is DefaultEmbeddedMemory.
	EmbeddedMemory int64
}

// String is the configuration without the password.
func (c Config) String() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return "[unreadable URL]"
	}
	return u.Redacted()
}

// Validate checks what can be checked without a connection.
func (c Config) Validate() error {
	if c.Replicas < 0 || c.Replicas > 0 && c.URL == Embedded {
		return fmt.Errorf("check store configuration: %w: %d replicas of %s", ErrInvalid, c.Replicas, c)
	}
	if c.URL == Embedded {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return fmt.Errorf("check store configuration: %w: the Redis URL can't be read", ErrInvalid)
	}
	if u.Scheme != "redis" && u.Scheme != "rediss" {
		return fmt.Errorf("check store configuration: %w: Redis URL scheme %q", ErrInvalid, u.Scheme)
	}
	return nil
}

func (c Config) logger() *slog.Logger {
	if c.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Logger
}
