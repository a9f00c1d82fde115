package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/session-gateway/gateway/api"
)

// Bounds of the settings; outside them a value is a mistake, not a choice.
const (
	maxDrain         = 10 * time.Minute    // orchestrators kill long before
	minRetention     = time.Minute         // clients need time to read session.closed, the document, and to come back
	maxRetention     = 90 * 24 * time.Hour // Redis is no archive
	minEmbeddedMaxMB = 64                  // below it the store is full at once
	maxEmbeddedMaxMB = 1 << 20             // a terabyte: no process of this kind has it
)

// ErrNobodyConfigured says that there is no key, neither in Redis nor in a
// bootstrap file, so nobody could use the gateway.
var ErrNobodyConfigured = errors.New("no tenant or key is configured: give --bootstrap FILE, make a first key " +
	"with gateway keys create --redis URL, or try it out with --dev")

// Validate joins everything that is wrong with the configuration. No message
// repeats a value that may be secret.
func (c Config) Validate() error {
	return errors.Join(
		c.checkListen(),
		c.checkTLS(),
		c.checkRedis(),
		c.checkCallers(),
		c.checkMetricsListen(),
		c.checkPublicHosts(),
		c.checkTraces(),
		oneOf("--log-format", c.LogFormat, "json", "text"),
		oneOf("--log-level", c.LogLevel, "debug", "info", "warn", "error"),
		between("--drain", c.Drain, 0, maxDrain),
		between("--retention", c.Retention, minRetention, maxRetention),
		c.checkEventRetention(),
		c.checkAudit(),
		c.checkMemory(),
		c.checkEgress(),
		c.checkOrigins(),
	)
}

func (c Config) checkRedis() error {
	if c.Redis.Embedded() {
		if c.Durability > 0 {
			return fmt.Errorf("--durability: the embedded store has no replicas, so it can't be %s", c.Durability)
		}
		return nil
	}
	// url.Parse repeats what it was given in its error, so that is not wrapped.
	u, err := url.Parse(string(c.Redis))
	if err != nil || u.Host == "" || !slices.Contains([]string{"redis", "rediss"}, u.Scheme) {
		return fmt.Errorf("--redis: want %s, redis://host… or rediss://host…", embedded)
	}
	return nil
}

func (c Config) checkCallers() error {
	switch {
	case !c.Dev && c.Bootstrap == "" && c.Redis.Embedded():
		return ErrNobodyConfigured
	case !c.Dev && c.DevKey != "":
		return errors.New("--dev-key: is a key for --dev; keys of a real deployment are in --bootstrap")
	case c.Dev && c.Bootstrap != "" && c.DevKey != "":
		return errors.New("--dev-key: with --bootstrap the keys are those of the file")
	}
	return nil
}

func (c Config) checkTraces() error {
	var wrong []error
	if c.TraceEndpoint != "" {
		u, err := url.Parse(c.TraceEndpoint)
		if err != nil || u.Host == "" || u.User != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) {
			wrong = append(wrong, errors.New("--trace-endpoint: want http://host… or https://host…, without a user in it"))
		}
	}
	if !(c.TraceRatio >= 0 && c.TraceRatio <= 1) { // also what is no number
		wrong = append(wrong, fmt.Errorf("--trace-ratio: %v is not between 0 and 1", c.TraceRatio))
	}
	return errors.Join(wrong...)
}

func (c Config) checkAudit() error {
	_, err := auditKey(c.AuditKey)
	return errors.Join(err, between("--audit-retention", c.AuditRetention, minRetention, maxRetention))
}

func (c Config) checkEventRetention() error {
	if c.EventRetention == 0 {
		return nil
	}
	return between("--event-retention", c.EventRetention, minRetention, maxRetention)
}

func (c Config) checkMemory() error {
	if c.EmbeddedMaxMB < minEmbeddedMaxMB || c.EmbeddedMaxMB > maxEmbeddedMaxMB {
		return fmt.Errorf("--embedded-max-mb: %d is not between %d and %d", c.EmbeddedMaxMB, minEmbeddedMaxMB, maxEmbeddedMaxMB)
	}
	return nil
}

func (c Config) checkEgress() error {
	if err := allowed(c.EgressAllow).Validate(); err != nil {
		return fmt.Errorf("--egress-allow: %w", err)
	}
	return nil
}

func (c Config) checkOrigins() error {
	var wrong []error
	for _, origin := range c.CORSOrigin {
		if err := api.CheckOrigin(origin); err != nil {
			wrong = append(wrong, fmt.Errorf("--cors-origin: %w", err))
		}
	}
	return errors.Join(wrong...)
}

func oneOf(flag, value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%s: %q is not one of %v", flag, value, allowed)
	}
	return nil
}

func between(flag string, d, low, high time.Duration) error {
	if d < low || d > high {
		return fmt.Errorf("%s: %v is not between %v and %v", flag, d, low, high)
	}
	return nil
}
