package streamtest

import (
	"context"
	"fmt"

	"github.com/session-gateway/gateway/stream"
)

var _ stream.TenantSnapshotter = (*Logs)(nil)

// Buckets are those of every tenant.
func Buckets() (all [stream.TenantLogs]uint16) {
	for i := range all {
		all[i] = uint16(i)
	}
	return all
}

// Place is where a tenant's logs end.
func (l *Logs) Place(tenant string) (v stream.Vector) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, bucket := range Buckets() {
		if log := l.logs[stream.TenantTopic(bucket, tenant)]; log != nil {
			v[i] = log.head()
		}
	}
	return v
}

// TenantSnapshot is stream.TenantSnapshotter: a document that says where it ends.
func (l *Logs) TenantSnapshot(_ context.Context, tenant string) ([]byte, stream.Vector, error) {
	l.mu.Lock()
	err := l.failure
	l.snapshots++
	l.mu.Unlock()
	v := l.Place(tenant)
	return fmt.Appendf(nil, `{"tenant":%q,"includes":%q}`, tenant, v.String()), v, err
}

// Snapshots counts the calls of TenantSnapshot.
func (l *Logs) Snapshots() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snapshots
}
