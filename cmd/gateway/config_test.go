package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
)

// parseServe reads a command line of `gateway serve` as main does.
func parseServe(t *testing.T, args ...string) (Config, error) {
	t.Helper()
	line := &commandLine{}
	k, err := kong.New(line, options()...)
	require.NoError(t, err)
	_, err = k.Parse(append([]string{"serve"}, args...))
	return line.Serve.Config, err
}

func TestTheDefaultsAreValidOnceSomebodyMayUseTheGateway(t *testing.T) {
	t.Parallel()
	_, err := parseServe(t)
	require.ErrorIs(t, err, ErrNobodyConfigured)

	cfg, err := parseServe(t, "--dev")
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", cfg.Listen)
	require.True(t, cfg.Redis.Embedded())
	require.Equal(t, 20*time.Second, cfg.Drain)
	require.Equal(t, 24*time.Hour, cfg.Retention)
}

// Not parallel: it sets the environment of the process.
func TestEveryFlagIsAlsoAnEnvironmentVariable(t *testing.T) {
	for name, value := range map[string]string{
		"GATEWAY_LISTEN":          "127.0.0.1:9",
		"GATEWAY_REDIS":           "redis://r:6379",
		"GATEWAY_DURABILITY":      "replicated=2",
		"GATEWAY_DEV":             "true",
		"GATEWAY_DEV_KEY":         "k",
		"GATEWAY_BOOTSTRAP":       "b.yaml",
		"GATEWAY_TLS_CERT":        "c.pem",
		"GATEWAY_TLS_KEY":         "k.pem",
		"GATEWAY_CLIENT_CA":       "ca.pem",
		"GATEWAY_BEHIND_PROXY":    "true",
		"GATEWAY_PUBLIC_HOST":     "a.example,b.example",
		"GATEWAY_METRICS_LISTEN":  "127.0.0.1:10",
		"GATEWAY_TENANT_LIMITS":   "requests_per_minute=6000,sessions=9",
		"GATEWAY_KEY_LIMITS":      "open_streams=5",
		"GATEWAY_CORS_ORIGIN":     "https://app.example",
		"GATEWAY_EGRESS_ALLOW":    "10.1.0.0/16",
		"GATEWAY_TRACE_ENDPOINT":  "http://collector:4318",
		"GATEWAY_TRACE_RATIO":     "0.5",
		"GATEWAY_LOG_FORMAT":      "text",
		"GATEWAY_LOG_LEVEL":       "debug",
		"GATEWAY_DRAIN":           "1s",
		"GATEWAY_RETENTION":       "2h",
		"GATEWAY_EVENT_RETENTION": "3h",
		"GATEWAY_AUDIT_RETENTION": "4h",
		"GATEWAY_AUDIT_KEY":       "0123456789abcdef0123456789abcdef",
		"GATEWAY_EMBEDDED_MAX_MB": "128",
	} {
		t.Setenv(name, value)
	}
	got, err := parseServe(t)
	require.ErrorContains(t, err, "--dev-key", "all is set, and these two exclude each other")
	require.Equal(t, Config{
		Listen: "127.0.0.1:9", Redis: "redis://r:6379", Durability: 2, Dev: true, DevKey: "k", Bootstrap: "b.yaml",
		TLSCert: "c.pem", TLSKey: "k.pem", ClientCA: "ca.pem", BehindProxy: true,
		TenantLimits: Limits{RequestsPerMinute: 6000, Sessions: 9}, KeyLimits: KeyLimits{OpenStreams: 5},
		CORSOrigin: []string{"https://app.example"}, EgressAllow: []Range{{netip.MustParsePrefix("10.1.0.0/16")}},
		PublicHost: []string{"a.example", "b.example"}, MetricsListen: "127.0.0.1:10",
		TraceEndpoint: "http://collector:4318", TraceRatio: 0.5, LogFormat: "text", LogLevel: "debug",
		Drain: time.Second, Retention: 2 * time.Hour, EventRetention: 3 * time.Hour, EmbeddedMaxMB: 128,
		AuditRetention: 4 * time.Hour, AuditKey: "0123456789abcdef0123456789abcdef",
	}, got)
	fields := reflect.ValueOf(got)
	for i := range fields.NumField() {
		require.False(t, fields.Field(i).IsZero(), "this test sets %s", fields.Type().Field(i).Name)
	}
}

func TestEveryProblemOfAConfigurationIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	err := Config{
		Listen: "nowhere", MetricsListen: "127.0.0.1:http", TraceEndpoint: "collector", TraceRatio: 2, Redis: "http://:hunter2@host", DevKey: "hunter3", Bootstrap: "x",
		LogFormat: "xml", LogLevel: "loud", Drain: -1, Retention: time.Second, EventRetention: time.Second, EmbeddedMaxMB: 1, AuditRetention: time.Second, AuditKey: "hunter4",
	}.Validate()
	for _, flag := range []string{
		"--listen", "--metrics-listen", "--trace-endpoint", "--trace-ratio", "--redis", "--dev-key", "--log-format", "--log-level", "--drain", "--retention", "--event-retention", "--embedded-max-mb", "--audit-retention", "--audit-key",
	} {
		require.ErrorContains(t, err, flag+":")
	}
	require.NotContains(t, err.Error(), "hunter")
}

func TestSingleSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		want string // part of the refusal; empty: accepted
	}{
		"dev on the IPv6 loopback":          {[]string{"--dev", "--listen=[::1]:0"}, ""},
		"dev on localhost":                  {[]string{"--dev", "--listen=localhost:0"}, ""},
		"dev on every address":              {[]string{"--dev", "--listen=:8080"}, "loopback only"},
		"dev on 0.0.0.0":                    {[]string{"--dev", "--listen=0.0.0.0:8080"}, "loopback only"},
		"dev on a name that is not local":   {[]string{"--dev", "--listen=localhost.example:1"}, "loopback only"},
		"dev metrics on every address":      {[]string{"--dev", "--metrics-listen=:9090"}, "loopback only"},
		"a port that is none":               {[]string{"--dev", "--listen=127.0.0.1:http"}, "not a port"},
		"a bootstrap on every address":      {[]string{"--bootstrap=f", "--listen=:8080"}, "in the clear"},
		"a public address without TLS":      {[]string{"--bootstrap=f", "--listen=10.0.0.1:8080"}, "in the clear"},
		"a public name without TLS":         {[]string{"--bootstrap=f", "--listen=gateway.example:8080"}, "in the clear"},
		"a public IPv6 address without TLS": {[]string{"--bootstrap=f", "--listen=[::]:8080"}, "in the clear"},
		"a bootstrap on loopback":           {[]string{"--bootstrap=f", "--listen=127.0.0.2:8080"}, ""},
		"a public address with TLS":         {[]string{"--bootstrap=f", "--listen=:8080", "--tls-cert=c", "--tls-key=k"}, ""},
		"a public address behind a proxy":   {[]string{"--bootstrap=f", "--listen=:8080", "--behind-proxy"}, ""},
		"limits":                            {[]string{"--dev", "--tenant-limits=sessions=9,batches_per_minute=1,stored_bytes=10000000000"}, ""},
		"what is stored by key":             {[]string{"--dev", "--key-limits=stored_bytes=9"}, "requests_per_minute=N"},
		"a limit that is none":              {[]string{"--dev", "--key-limits=requests=9"}, "requests_per_minute=N"},
		"a limit of nothing":                {[]string{"--dev", "--key-limits=open_streams=0"}, "from 1 on"},
		"every origin":                      {[]string{"--dev", "--cors-origin=*"}, "--cors-origin"},
		"an origin with a path":             {[]string{"--dev", "--cors-origin=https://a.example/"}, "--cors-origin"},
		"a pattern of origins":              {[]string{"--dev", "--cors-origin=https://*.example"}, "--cors-origin"},
		"an origin":                         {[]string{"--dev", "--cors-origin=https://a.example:8443"}, ""},
		"an egress range that is none":      {[]string{"--dev", "--egress-allow=10.0.0"}, `--egress-allow: "10.0.0" is neither`},
		"an egress range that says nothing": {[]string{"--dev", "--egress-allow=::ffff:10.0.0.0/104"}, `--egress-allow: "::ffff:10.0.0.0/104"`},
		"a certificate without its key":     {[]string{"--bootstrap=f", "--tls-cert=c"}, "go together"},
		"a key without its certificate":     {[]string{"--bootstrap=f", "--tls-key=k"}, "go together"},
		"client certificates by a proxy":    {[]string{"--bootstrap=f", "--behind-proxy", "--client-ca=a"}, "--client-ca"},
		"dev with a real Redis":             {[]string{"--dev", "--redis=rediss://u:p@host:6380/1"}, ""},
		"a Redis address without a host":    {[]string{"--dev", "--redis=redis://"}, "--redis"},
		"a Redis address that won't parse":  {[]string{"--dev", "--redis=redis://a b:c"}, "--redis"},
		"every write on two replicas":       {[]string{"--dev", "--redis=redis://h", "--durability=replicated=2"}, ""},
		"replicas of the embedded store":    {[]string{"--dev", "--durability=replicated=1"}, "no replicas"},
		"replicas, but none":                {[]string{"--dev", "--redis=redis://h", "--durability=replicated=0"}, "from 1 to"},
		"replicas without a number":         {[]string{"--dev", "--redis=redis://h", "--durability=replicated"}, "from 1 to"},
		"another kind of durability":        {[]string{"--dev", "--redis=redis://h", "--durability=sync"}, "async"},
		"a public name":                     {[]string{"--dev", "--public-host=Gateway.example,my_gateway.default.svc,10.0.0.1,::1"}, ""},
		"a public name with a scheme":       {[]string{"--dev", "--public-host=https://gateway.example"}, "--public-host"},
		"a public name with a port":         {[]string{"--dev", "--public-host=gateway.example:443"}, "--public-host"},
		"a public name for all":             {[]string{"--dev", "--public-host=*.example"}, "--public-host"},
		"a public name that ends in a dot":  {[]string{"--dev", "--public-host=gateway.example."}, "--public-host"},
		"two public names in one":           {[]string{"--dev", "--public-host=a b"}, "--public-host"},
		"an embedded store without end":     {[]string{"--dev", "--embedded-max-mb=99999999999999"}, "--embedded-max-mb"},
		"a dev key without dev":             {[]string{"--bootstrap=f", "--dev-key=k"}, "--dev-key"},
		"a dev key beside a bootstrap file": {[]string{"--dev", "--bootstrap=f", "--dev-key=k"}, "--dev-key"},
	} {
		_, err := parseServe(t, c.args...)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestNothingPrintsASecret(t *testing.T) {
	t.Parallel()
	cfg := Config{Redis: "rediss://user:hunter2@host:6379/0?password=hunter2", DevKey: "hunter2"}
	var out bytes.Buffer
	for _, format := range []string{"json", "text"} {
		log := newLogger(Config{LogFormat: format, LogLevel: "debug"}, &out)
		log.Info("all", slog.Any("config", cfg), slog.Any("key", cfg.DevKey), slog.Any("redis", cfg.Redis))
	}
	marshalled, err := json.Marshal(cfg)
	require.NoError(t, err)
	out.Write(marshalled)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&out, verb, cfg)
	}
	require.Contains(t, out.String(), "async")
	require.NotContains(t, out.String(), "hunter2")
	require.NotContains(t, out.String(), "user")
	require.Contains(t, out.String(), redacted)
}

func TestWhatOfARedisAddressIsPrinted(t *testing.T) {
	t.Parallel()
	for in, want := range map[RedisURL]string{
		"embedded":                 "embedded",
		"redis://host:6379/2":      "redis://host:6379/2",
		"redis://:p@host":          "redis://[redacted]@host",
		"rediss://host?password=p": "rediss://host?[redacted]",
		"not a url at all":         "[redacted]",
	} {
		require.Equal(t, want, in.String())
	}
}

func TestABootstrapFileNamesWhoIsCreated(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "tenants.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }

	write("tenants: [{id: acme, keys: [{id: a, subject: s, roles: [host], sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}]}]")
	who, err := callersOf(Config{Bootstrap: name, Dev: true})
	require.NoError(t, err)
	require.Empty(t, who.devKey)
	require.Len(t, who.file.Tenants, 1)
	require.Equal(t, "acme", who.file.Tenants[0].ID)

	_, err = callersOf(Config{Bootstrap: filepath.Join(t.TempDir(), "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestNothingIsServedWithoutAKey(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "tenants.yaml")
	require.NoError(t, os.WriteFile(name, []byte("tenants: [{id: acme}]"), 0o600))
	for label, cfg := range map[string]Config{
		"a bootstrap file without keys": {Bootstrap: name, Redis: embedded},
		"a Redis without keys":          {Redis: RedisURL(redistest.Start(t).URL())},
	} {
		cfg.Listen = "127.0.0.1:0"
		_, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, ErrNobodyConfigured, label)
	}
}

func TestTheDevKeyIsTakenAsItIsOrMadeUp(t *testing.T) {
	t.Parallel()
	who, err := callersOf(Config{Dev: true, DevKey: "x"})
	require.NoError(t, err)
	require.Equal(t, Secret("x"), who.devKey)
	d, err := who.directory()
	require.NoError(t, err)
	c, err := d.Authenticate("x")
	require.NoError(t, err)
	require.Equal(t, "dev", c.Tenant)

	made, err := callersOf(Config{Dev: true})
	require.NoError(t, err)
	require.True(t, tenants.WellFormed(string(made.devKey)))
}
