package store

import (
	_ "embed"

	"github.com/redis/go-redis/v9"
)

// Scripts are sent by their hash; where a server does not have one yet, the
// client library sends its source once.
var (
	//go:embed commit.lua
	commitSource string
	commitScript = redis.NewScript(commitSource)

	//go:embed take.lua
	takeSource string
	takeScript = redis.NewScript(takeSource)

	//go:embed audit.lua
	auditSource string
	auditScript = redis.NewScript(auditSource)

	//go:embed lease.lua
	leaseSource string
	leaseScript = redis.NewScript(leaseSource)
)

// plan is a list of operations over declared keys, in the flat form that
// commit.lua runs. Keys are declared by use and named by their position.
type plan struct {
	keys  []string
	place map[string]int
	ops   []any
}

// maxOpArgs bounds the arguments of one Redis call: Lua passes them on its
// stack, which holds about 8000 in Redis and 5000 in the embedded server.
const maxOpArgs = 400

// key declares a key and answers its position, counted from 1.
func (p *plan) key(name string) int {
	if at, ok := p.place[name]; ok {
		return at
	}
	if p.place == nil {
		p.place = make(map[string]int)
	}
	p.keys = append(p.keys, name)
	p.place[name] = len(p.keys)
	return len(p.keys)
}

// call adds `command key args…`.
func (p *plan) call(command, key string, args ...any) {
	p.ops = append(p.ops, command, p.key(key), 0, len(args))
	p.ops = append(p.ops, args...)
}

// pair adds `command key other args…`.
func (p *plan) pair(command, key, other string, args ...any) {
	p.ops = append(p.ops, command, p.key(key), p.key(other), len(args))
	p.ops = append(p.ops, args...)
}

// spread adds the command as often as its arguments need.
func (p *plan) spread(command, key string, args []any) {
	for len(args) > maxOpArgs {
		p.call(command, key, args[:maxOpArgs]...)
		args = args[maxOpArgs:]
	}
	if len(args) > 0 {
		p.call(command, key, args...)
	}
}

// patch changes a hash.
func (p *plan) patch(key string, c Patch) {
	names := make([]any, 0, len(c.Del))
	for _, name := range c.Del {
		names = append(names, name)
	}
	p.spread("HDEL", key, names)
	p.spread("HSET", key, flatten(c.Set))
}

// flatten is a hash as field, value, field, value.
func flatten(f Fields) []any {
	out := make([]any, 0, 2*len(f))
	for name, value := range f {
		out = append(out, name, value)
	}
	return out
}
