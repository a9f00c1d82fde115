package store

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

const (
	// Buckets is how many hash tags a deployment has. Session ids carry their
	// bucket, so it can never change.
	Buckets = 1024
	// TenantBuckets is over how many of them one tenant's root sessions spread:
	// enough to use every node of a cluster, few enough to list in one go.
	TenantBuckets = 16
)

// BucketsOf are the buckets of a tenant's root sessions, by rendezvous
// hashing: those with the highest weights, highest first. It is a pure
// function and part of the stored form; children live in their root's bucket.
func BucketsOf(tenant string) [TenantBuckets]uint16 {
	type weighted struct {
		bucket uint16
		weight uint64
	}
	all := make([]weighted, Buckets)
	seed := append([]byte(tenant), ':')
	for b := range all {
		name := strconv.AppendInt(seed, int64(b), 10)
		all[b] = weighted{bucket: uint16(b), weight: xxhash.Sum64(name)}
	}
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(b.weight, a.weight) })
	var out [TenantBuckets]uint16
	for i := range out {
		out[i] = all[i].bucket
	}
	return out
}

// AllBuckets are all buckets, for sweepers.
func AllBuckets() []uint16 {
	all := make([]uint16, Buckets)
	for b := range all {
		all[b] = uint16(b)
	}
	return all
}
