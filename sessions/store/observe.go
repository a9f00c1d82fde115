package store

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Observer is told what the store does. Its methods are called on every
// commit's way, so they must be quick; they may be called at once.
type Observer interface {
	// Committed is told how a commit ended, in one of a few words, and how long
	// it took.
	Committed(outcome string, took time.Duration)
	// RedisFailed is told of every command that Redis or the network failed, in
	// one of a few words.
	RedisFailed(kind string)
}

// Stats is what the store knows of Redis by its last sample.
type Stats struct {
	Up       bool          // the last sample succeeded
	Fill     float64       // share of maxmemory used, of the fullest node; 0 without a limit
	Evicted  float64       // keys that Redis threw away since it started, of all nodes
	Offset   time.Duration // Redis's clock minus ours
	Volatile bool
}

// Stats is the last sample, at most a few seconds old.
func (s *Store) Stats() Stats {
	return Stats{
		Up: s.up.Load(), Fill: s.fill.load(), Evicted: s.evicted.load(),
		Offset: time.Duration(s.offset.Load()), Volatile: s.Volatile(),
	}
}

// outcomes are the words for what a commit answers.
var outcomes = []struct {
	err  error
	word string
}{
	{ErrConflict, "conflict"},
	{ErrIdempotent, "repeated"},
	{ErrNewerSchema, "newer_schema"},
	{ErrClockSkew, "clock_skew"},
	{ErrNotReplicated, "not_replicated"},
	{ErrUnavailable, "unavailable"},
}

func outcomeOf(err error) string {
	if err == nil {
		return "applied"
	}
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			return o.word
		}
	}
	return "refused"
}

// watch reports what fails on a client to the observer, if there is one.
func (s *Store) watch(client redis.UniversalClient) {
	if s.observer != nil {
		client.AddHook(failures{s.observer})
	}
}

// failures reports what fails on a client's connections.
type failures struct{ observer Observer }

var _ redis.Hook = failures{}

// DialHook leaves dialling alone: the command that needed it fails, too.
func (failures) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook reports a command that failed.
func (f failures) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		f.report(err)
		return err
	}
}

// ProcessPipelineHook reports a pipeline that failed, once.
func (f failures) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		f.report(err)
		return err
	}
}

func (f failures) report(err error) {
	if kind := failureOf(err); kind != "" {
		f.observer.RedisFailed(kind)
	}
}

// refusals are the first words of the errors that Redis answers, as far as they
// tell an operator something.
var refusals = map[string]string{
	"LOADING": "loading", "READONLY": "readonly", "OOM": "out_of_memory", "CLUSTERDOWN": "cluster_down",
	"MASTERDOWN": "cluster_down", "NOREPLICAS": "no_replicas", "NOAUTH": "denied", "WRONGPASS": "denied", "NOPERM": "denied",
	"MISCONF": "cannot_persist",
}

// failureOf is the word for an error of a command; empty for what is none: an
// absent key, a caller that left, a script that has to be sent.
func failureOf(err error) string {
	var answered redis.Error
	switch {
	case err == nil, errors.Is(err, redis.Nil), errors.Is(err, context.Canceled), redis.HasErrorPrefix(err, "NOSCRIPT"):
		return ""
	case errors.As(err, &answered):
		word, _, _ := strings.Cut(answered.Error(), " ")
		if kind, known := refusals[word]; known {
			return kind
		}
		return "refused"
	case timedOut(err):
		return "timeout"
	}
	return "connection"
}

func timedOut(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// Pending is the approvals that wait for a person, of all tenants.
type Pending struct {
	Count  int
	Oldest time.Time // when the first of them was asked; zero without any
}

// Pending counts the open approvals of the whole deployment.
func (s *Store) Pending(ctx context.Context) (Pending, error) {
	var all Pending
	for buckets := AllBuckets(); len(buckets) > 0; {
		n := min(len(buckets), maxPipelined/2) // two commands a bucket
		if err := s.countPending(ctx, buckets[:n], &all); err != nil {
			return Pending{}, err
		}
		buckets = buckets[n:]
	}
	return all, nil
}

func (s *Store) countPending(ctx context.Context, buckets []uint16, into *Pending) error {
	pipe := s.client.Pipeline()
	counts := make([]*redis.IntCmd, len(buckets))
	firsts := make([]*redis.ZSliceCmd, len(buckets))
	for i, b := range buckets {
		counts[i] = pipe.ZCard(ctx, pendingKey(b))
		firsts[i] = pipe.ZRangeWithScores(ctx, pendingKey(b), 0, 0)
	}
	if err := exec(ctx, pipe, "count open approvals"); err != nil {
		return err
	}
	for i := range buckets {
		into.Count += int(counts[i].Val())
		for _, z := range firsts[i].Val() {
			if at := time.UnixMilli(int64(z.Score)).UTC(); into.Oldest.IsZero() || at.Before(into.Oldest) {
				into.Oldest = at
			}
		}
	}
	return nil
}
