package archtest

// arrow says what of the project a package, with all folders beneath it, may
// import. The longest matching path counts. The table is read from the top:
// arrows only ever point down.
type arrow struct {
	from string
	to   []string
	why  string
}

// anything stands for every package of the project.
const anything = "*"

// root is the package in the project's own folder.
const root = "."

var arrows = []arrow{
	{"cmd/gateway", []string{anything}, "it wires everything and is imported by nothing"},
	{"internal/try", []string{"internal/casetest", "providers"}, "a tool that sends recorded messages to a gateway, over HTTP"},
	{"internal/demo", []string{"client"}, "a person at a terminal; it starts the programs and knows the gateway as everybody outside does"},
	{"internal/casetest", []string{"providers"}, "cases are played over HTTP; what comes out is checked as its provider would"},
	{"internal/doctor", []string{"sessions/store"}, "it looks at Redis as the store does, and at the rest as clients do"},
	{"internal/tracing", []string{"api", "sessions", "scheduler", "internal/spans"}, "it tells a collector what the others tell their observers; none of them knows OpenTelemetry"},
	{"internal/metrics", []string{"api", "hooks", "tenants", "sessions", "stream", "scheduler"}, "it counts what the others tell their observers; none of them knows Prometheus"},
	{"host", []string{"client"}, "a host is a client with tools and a model; it could be written by anybody"},
	{"validate", []string{"acp", "client", "providers"}, "it judges a deployment from outside, as clients and editors see it; the rules of wire formats are pure"},
	{"acp", []string{"client"}, "what an editor sees is made of what any client of the HTTP surface sees"},
	{"console", nil, "it holds files; its pages know the gateway by its HTTP surface only, and whoever wires the program says where they are served"},
	{"client", nil, "it knows the gateway by its HTTP surface only, as everybody outside does"},
	{"api", []string{"sessions", "stream", "tenants", "tenants/admin", "tenants/passes", "tenants/quota", "providers", "scheduler", "permissions", "audit", "internal/certs", root}, "HTTP is an adapter: it maps requests to use cases and decides nothing; of the core it needs the types that documents are made of"},
	{"tenants/admin", []string{"tenants", "tenants/store", "sessions", "scheduler", "stream", "audit"}, "who administers tenants sees also to what their sessions leave behind, and refuses as sessions do"},
	{"sessions", []string{"internal/spans", "scheduler", "planmode", "permissions", "tenants", "stream", "providers", "hooks", "audit"}, "the shell around the core: load, decide, commit; providers say which tool names can't be told apart on the wire"},
	{"internal/spans", nil, "names of spans, for who traces and who says where a host goes on"},
	{"sessions/store", []string{"stream"}, "the store keeps bytes and events; it doesn't know what they mean"},
	{"stream", nil, "events are opaque to whoever carries them"},
	{"audit", nil, "a form and its proof, usable without the gateway"},
	{"tenants/store", []string{"tenants"}, "what is kept of tenants, and every replica's copy of it"},
	{"tenants/quota", []string{"tenants"}, "it counts what callers use, whatever that is"},
	{"tenants/passes", []string{"tenants"}, "what stands for a key for a while; whose key it is it asks"},
	{"tenants/oidc", []string{"tenants"}, "tokens become callers; who fetches key sets how is given to it"},
	{"hooks", []string{"tenants", "internal/egress"}, "it sends what it is given to whom a tenant names, and knows nothing of sessions"},
	{"tenants", nil, "who calls is known before anything else is"},
	{"providers", []string{"scheduler"}, "wire formats become calls; the scheduler's types are the only thing shared"},
	{"scheduler", []string{"planmode", "permissions"}, "the decisions are pure, so that they can be tested by the million"},
	{"planmode", []string{"permissions"}, "a value with transitions; modes and the grammar of its deny rules are the engine's"},
	{"permissions", nil, "one rule engine, usable alone"},
	{"internal/egress", nil, "it judges addresses, whoever wants to connect to them"},
	{"internal/certs", nil, "files become what a listener shows and trusts; what a name in a certificate means is decided above"},
	{"internal/certstest", nil, "certificates for tests, whoever tests"},
	{"deploy/image", nil, "a tool in a module of its own; it packs a program and knows nothing of its inside"},
	{"deploy/test/schemas", nil, "a generator in a module of its own; it knows Kubernetes' API and nothing of the gateway"},
	{"internal/archtest", nil, "it reads files only"},
	{"internal/features", nil, "it reads files only"},
	{"internal/chaos", nil, "nothing but tests, which may import what they break"},
	{"internal/apitest", []string{root}, "it talks to a gateway as anybody does: over HTTP, by the contract"},
	{"internal/load", nil, "it measures programs from outside"},
	{"internal/redistest", []string{"internal/porttest"}, "a Redis for tests, whoever tests"},
	{"internal/porttest", nil, "ports for servers of tests"},
	{"internal/gatewaytest", nil, "a running gateway for tests; it builds the program and knows nothing of its inside"},
	{root, nil, "it embeds the contract, for whoever serves or checks it"},
}

// testOnly are packages that no file but a test, or another of them, may import.
var testOnly = []string{"internal/archtest", "internal/chaos", "internal/apitest", "internal/redistest", "internal/porttest", "internal/gatewaytest", "internal/certstest"}

// pure are the packages without a clock, network, files, log or randomness:
// all of it comes in as arguments.
var pure = []string{"scheduler", "permissions", "planmode", "providers", "audit"}

// impure are the imports that would let the outside into a pure package.
var impure = map[string]string{
	"net":          "no network",
	"net/http":     "no network",
	"os":           "no files, no environment",
	"os/exec":      "no processes",
	"io/fs":        "no files",
	"syscall":      "no system",
	"log":          "nothing to say but values",
	"log/slog":     "nothing to say but values",
	"context":      "nothing to wait for",
	"sync":         "no state between calls",
	"math/rand":    "ids and chance are arguments",
	"math/rand/v2": "ids and chance are arguments",
	"crypto/rand":  "ids and chance are arguments",
}

// clock are the functions of package time that read or wait on the clock.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// environment are the functions of package os that read the environment.
var environment = []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}

// mayReadEnvironment are the packages that do: one knob, one place.
var mayReadEnvironment = map[string]string{
	"cmd/gateway":        "the Config struct is every setting there is",
	"internal/redistest": "a switch of the test run, not of the program",
}

// shapeless are folder names that say nothing about what is inside, so that
// anything ends up there.
var shapeless = []string{"util", "utils", "common", "helper", "helpers", "misc", "models", "pkg", "shared", "lib"}
