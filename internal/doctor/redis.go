package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/sessions/store"
)

// redis looks at the server as the gateway does at its start, and closer.
func (d *doctor) redis(ctx context.Context) {
	if d.cfg.Redis.URL == store.Embedded {
		d.warn("redis", "not looked at", "give --redis, as the replicas have it")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	i, err := store.Inspect(ctx, d.cfg.Redis)
	if err != nil {
		d.fail("redis", err.Error(), d.wayToRedis(err))
		return
	}
	d.good("redis", "version %s, %s for a round trip", i.Version, i.Trip)
	if i.ReadOnly {
		d.fail("redis role", "this is a replica, which takes no writes", "give the address of the primary, or Sentinel's with ?master_name=")
	}
	if !i.AtLeast(oldestRedis) {
		d.warn("redis version", i.Version+" is older than what is tested", "upgrade to "+oldestRedis+" or newer")
	}
	if i.Trip > slowTrip {
		d.warn("redis distance", fmt.Sprintf("a round trip takes %s; each decision takes one", i.Trip), "put Redis nearer")
	}
	d.memory(&i)
	d.durability(&i)
	if i.Offset.Abs() > maxOffset {
		d.fail("clock", fmt.Sprintf("Redis's clock is off by %s; from a second on commits are refused", i.Offset), "run NTP on both machines")
	} else {
		d.good("clock", "Redis's differs by %s", i.Offset)
	}
}

// wayToRedis is what to change where Redis could not be looked at.
func (d *doctor) wayToRedis(err error) string {
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, handshake := errors.AsType[tls.RecordHeaderError](err)
	secure := strings.HasPrefix(d.cfg.Redis.URL, "rediss:")
	switch {
	case redis.IsPermissionError(err):
		return "let the user do more: ACL SETUSER name ~gw:* &gw:* +@all -@dangerous +info"
	case redis.IsAuthError(err), redis.HasErrorPrefix(err, "WRONGPASS"):
		return "give user and password in the address: redis://user:password@host, special characters as %XX"
	case redis.IsLoadingError(err):
		return "wait: Redis is reading its data"
	case certificate:
		return "use the name that its certificate has; its authority must be known here (SSL_CERT_FILE)"
	case handshake, secure && errors.Is(err, context.DeadlineExceeded):
		return "is TLS spoken at this port? redis:// is without, rediss:// with it"
	}
	return "check the address and the way there: names, firewalls, network policies"
}

func (d *doctor) memory(i *store.Inspection) {
	for _, policy := range slices.Compact(slices.Sorted(slices.Values(i.Policies))) {
		switch policy {
		case "noeviction":
			d.good("eviction", "maxmemory-policy is noeviction")
		case "":
			d.warn("eviction", "Redis does not tell its maxmemory-policy", "make sure that it is noeviction")
		default:
			d.fail("eviction", "maxmemory-policy is "+policy+": acknowledged sessions are thrown away", "CONFIG SET maxmemory-policy noeviction, and the same in its configuration")
		}
	}
	if i.Evicted > 0 {
		d.fail("evicted keys", fmt.Sprintf("%.0f keys were thrown away since its start", i.Evicted), "find out what changed maxmemory-policy, and whose server it is")
	}
	if !i.Limited {
		d.warn("memory", "there is no maxmemory: the machine's end is Redis's", "set maxmemory below the machine's, with room for a fork")
	} else if i.Fill > fullAt {
		d.warn("memory", fmt.Sprintf("%.0f %% used; from 85 %% on nothing new is admitted", 100*i.Fill), "raise maxmemory, or keep less")
	}
}

func (d *doctor) durability(i *store.Inspection) {
	if i.AppendOnly {
		d.good("persistence", "append-only file")
	} else {
		d.fail("persistence", "there is no append-only file: a restart loses what came after the last snapshot", "CONFIG SET appendonly yes, and the same in its configuration")
	}
	if i.DiskFailed {
		d.fail("disk", "Redis could not write its file the last time, and refuses writes while that lasts", "look at its log and its disk's space")
	}
	switch want := d.cfg.Redis.Replicas; {
	case want > i.Replicas:
		d.fail("replicas", fmt.Sprintf("%d of %d are there: no write is acknowledged", i.Replicas, want), "bring them back, or lower --durability")
	case want > 0 && want < i.Replicas:
		d.warn("replicas", fmt.Sprintf("%d are there and %d are waited for: one without a write may be promoted", i.Replicas, want), "wait for all that can be promoted")
	default:
		d.good("replicas", "%d", i.Replicas)
	}
}
