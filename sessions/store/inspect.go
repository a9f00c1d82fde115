package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Inspection is what a server tells of itself to whoever looks after it.
type Inspection struct {
	Cluster    bool
	Version    string        // of the oldest node
	Policies   []string      // maxmemory-policy, of every node; "" where it is not told
	AppendOnly bool          // at every node
	ReadOnly   bool          // a node is a replica: it takes no writes
	DiskFailed bool          // a node could not write its file or its snapshot the last time, and may refuse writes
	Replicas   int           // that are connected, of the master that has the fewest
	Fill       float64       // share of maxmemory, of the fullest node; 0 without a limit
	Limited    bool          // every node has a maxmemory
	Evicted    float64       // keys, since the start
	Offset     time.Duration // its clock minus ours
	Trip       time.Duration // of a PING
}

// Inspect connects and looks. It changes nothing.
func Inspect(ctx context.Context, cfg Config) (i Inspection, err error) {
	if err := cfg.Validate(); err != nil {
		return Inspection{}, err
	}
	client, cluster, err := dial(ctx, cfg.URL)
	if err != nil {
		return Inspection{}, err
	}
	s := newStore(client, cluster, cfg)
	defer func() { err = errors.Join(err, s.Close()) }()
	i = Inspection{Cluster: cluster, AppendOnly: true, Limited: true, Replicas: maxReplicasSeen}
	for section, note := range map[string]func(info){
		"server": i.noteServer, "memory": i.noteMemory, "persistence": i.notePersistence,
		"replication": i.noteReplication, "stats": i.noteStats,
	} {
		if err := s.eachMaster(ctx, section, note); err != nil {
			return Inspection{}, err
		}
	}
	began := time.Now()
	if err := s.Ping(ctx); err != nil {
		return Inspection{}, err
	}
	i.Trip = time.Since(began)
	if err := s.sampleTime(ctx); err != nil {
		return Inspection{}, err
	}
	i.Offset = time.Duration(s.offset.Load())
	return i, nil
}

// maxReplicasSeen is more than any master has; the least is looked for.
const maxReplicasSeen = 1 << 20

func (i *Inspection) noteServer(n info) {
	if v := n["redis_version"]; i.Version == "" || compareVersions(v, i.Version) < 0 {
		i.Version = v
	}
}

// compareVersions compares dotted numbers; what is no number is zero.
func compareVersions(a, b string) int {
	numbers := func(v string) (out []int) {
		for part := range strings.SplitSeq(v, ".") {
			n, _ := strconv.Atoi(part)
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(a), numbers(b))
}

// AtLeast says whether every node has a version or a newer one.
func (i *Inspection) AtLeast(version string) bool { return compareVersions(i.Version, version) >= 0 }

func (i *Inspection) noteMemory(n info) {
	i.Policies = append(i.Policies, n["maxmemory_policy"])
	limit := n.number("maxmemory")
	i.Limited = i.Limited && limit > 0
	if limit > 0 {
		i.Fill = max(i.Fill, n.number("used_memory")/limit)
	}
}

func (i *Inspection) notePersistence(n info) {
	i.AppendOnly = i.AppendOnly && n["aof_enabled"] == "1"
	for _, last := range []string{"aof_last_write_status", "rdb_last_bgsave_status"} {
		i.DiskFailed = i.DiskFailed || n[last] == "err"
	}
}

func (i *Inspection) noteReplication(n info) {
	i.ReadOnly = i.ReadOnly || n["role"] == "slave"
	i.Replicas = min(i.Replicas, int(n.number("connected_slaves")))
}

func (i *Inspection) noteStats(n info) { i.Evicted += n.number("evicted_keys") }
