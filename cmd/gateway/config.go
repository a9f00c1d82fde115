package main

import (
	"log/slog"
	"time"
)

// Config is everything that can be set, each field a flag and an environment
// variable of the same name. Nothing else in the program reads either.
type Config struct {
	Listen      string     `default:"127.0.0.1:8080" help:"Address to serve on."`
	Redis       RedisURL   `default:"embedded" help:"Where state lives: embedded (in this process, gone when it ends), redis://… or rediss://…"`
	Durability  Durability `default:"async" placeholder:"MODE" help:"When a write is acknowledged: async (the primary has it) or replicated=N (N replicas of Redis have it, too)."`
	Dev         bool       `help:"Set defaults for trying it out: one tenant, one key with every role, loopback only."`
	DevKey      Secret     `placeholder:"KEY" help:"The key of --dev; better given in the environment. Made up and printed if not given."`
	Bootstrap   string     `placeholder:"FILE" help:"YAML file of tenants and the SHA-256 of their keys."`
	TLSCert     string     `name:"tls-cert" placeholder:"FILE" help:"Certificate chain to serve TLS with, in PEM form. SIGHUP reads it again."`
	TLSKey      string     `name:"tls-key" placeholder:"FILE" help:"Key of --tls-cert."`
	ClientCA    string     `name:"client-ca" placeholder:"FILE" help:"Authorities of hosts' certificates. With it a host has to show one that names it."`
	BehindProxy bool       `help:"Serve without TLS on an address that others reach: a proxy in front of it speaks TLS."`
	PublicHost  []string   `placeholder:"NAME" help:"Names to answer to: on a loopback listener beside localhost, elsewhere no others once there is one."`
	CORSOrigin  []string   `name:"cors-origin" placeholder:"ORIGIN" help:"Origins whose pages may call with keys, like https://app.example. None by default."`

	TenantLimits Limits    `placeholder:"LIMITS" help:"What a tenant may use that has set nothing: requests_per_minute=N,batches_per_minute=N,open_streams=N,sessions=N,stored_bytes=N. No limit for what isn't named."`
	KeyLimits    KeyLimits `placeholder:"LIMITS" help:"The same for each of its keys, but for what is stored: sessions, stored_bytes."`

	MetricsListen string  `placeholder:"ADDRESS" help:"Address to serve /metrics on as well, without TLS, until the very end of a stop."`
	EgressAllow   []Range `placeholder:"RANGE" help:"Addresses and ranges (10.1.0.0/16) that aren't public and may be connected to all the same: those of issuers' key sets and of webhooks."`
	TraceEndpoint string  `placeholder:"URL" help:"Where traces are sent by OTLP over HTTP, as http://collector:4318 (/v1/traces is added) or a whole address with its path; none if not given."`
	TraceRatio    float64 `default:"1" help:"Share of the traces that begin here to be sent, from 0 to 1; those that come in say themselves."`

	LogFormat string `default:"json" help:"json or text."`
	LogLevel  string `default:"info" help:"debug, info, warn or error."`

	Drain          time.Duration `default:"20s" help:"How long requests may take to finish once the gateway was told to stop."`
	Retention      time.Duration `default:"24h" help:"How long a closed session stays readable."`
	EventRetention time.Duration `default:"0s" help:"How long an open session keeps its events; 0: the last 10,000, however old."`
	AuditRetention time.Duration `default:"168h" help:"How long audit logs are kept; whoever needs them longer exports them."`
	AuditKey       Secret        `placeholder:"KEY" help:"What the seals of audit logs are signed with, at least 32 characters; better given in the environment. Without it they are not signed."`
	EmbeddedMaxMB  int           `default:"512" name:"embedded-max-mb" help:"Memory cap of the embedded store, in MB."`
}

// LogValue is the configuration as it may be logged: secrets redacted.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("listen", c.Listen),
		slog.String("redis", c.Redis.String()),
		slog.String("durability", c.Durability.String()),
		slog.Bool("dev", c.Dev),
		slog.String("dev_key", c.DevKey.String()),
		slog.String("bootstrap", c.Bootstrap),
		slog.String("tls_cert", c.TLSCert),
		slog.String("tls_key", c.TLSKey),
		slog.String("client_ca", c.ClientCA),
		slog.Bool("behind_proxy", c.BehindProxy),
		slog.Any("public_host", c.PublicHost),
		slog.Any("cors_origin", c.CORSOrigin),
		slog.String("tenant_limits", c.TenantLimits.String()),
		slog.String("key_limits", c.KeyLimits.String()),
		slog.String("metrics_listen", c.MetricsListen),
		slog.Any("egress_allow", c.EgressAllow),
		slog.String("trace_endpoint", c.TraceEndpoint),
		slog.Float64("trace_ratio", c.TraceRatio),
		slog.String("log_format", c.LogFormat),
		slog.String("log_level", c.LogLevel),
		slog.Duration("drain", c.Drain),
		slog.Duration("retention", c.Retention),
		slog.Duration("event_retention", c.EventRetention),
		slog.Duration("audit_retention", c.AuditRetention),
		slog.String("audit_key", c.AuditKey.String()),
		slog.Int("embedded_max_mb", c.EmbeddedMaxMB),
	)
}
