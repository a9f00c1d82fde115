package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

const (
	// replicaWait is how long a write waits for its replicas. They answer within
	// milliseconds, or something is wrong with them.
	replicaWait = time.Second
	// nodeTries is how often a cluster is asked for a bucket's node while slots
	// move or a replica takes over; as many times as the library follows it.
	nodeTries = 4
	// nodeRetry is how long a try waits, give or take half: a topology reaches
	// the other nodes within a second.
	nodeRetry = 250 * time.Millisecond
)

// confirmer runs writes that are acknowledged only when replicas have them. Its
// connections are its own: writes that wait for a lost replica must not take
// those of the reads.
type confirmer struct {
	client   redis.UniversalClient
	replicas int
}

// dialConfirmer connects once more, with room for the wait in every answer.
func dialConfirmer(ctx context.Context, cfg Config) (*confirmer, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("read Redis URL: %w", ErrInvalid)
	}
	q := u.Query()
	q.Set("read_timeout", (ioTimeout + replicaWait).String())
	u.RawQuery = q.Encode()
	client, _, err := dial(ctx, u.String())
	if err != nil {
		return nil, err
	}
	return &confirmer{client: client, replicas: cfg.Replicas}, nil
}

// run sends one command and then waits until the replicas have what it wrote
// and whatever was written before it. Command, mark and WAIT go on one
// connection, in one pipeline: WAIT counts only the writes of its own
// connection, and another one might lead to a server that was promoted
// meanwhile. The mark is a write in any case, so a command that wrote nothing
// (a repetition, a read) is waited for too. Short answers ErrNotReplicated; the
// command's own error comes first.
func (c *confirmer) run(ctx context.Context, mark string, command func(redis.Pipeliner) redis.Cmder) error {
	ctx, cancel := context.WithTimeout(ctx, opTimeout)
	defer cancel()
	for try := 1; ; try++ {
		err := c.once(ctx, mark, command)
		if err == nil || try == nodeTries || !c.misdirected(ctx, err) || !pause(ctx, nodeRetry) {
			return err
		}
	}
}

func (c *confirmer) once(ctx context.Context, mark string, command func(redis.Pipeliner) redis.Cmder) error {
	pipe, err := pipelineTo(ctx, c.client, mark)
	if err != nil {
		return err
	}
	done := command(pipe)
	marked := pipe.Set(ctx, mark, "", 0)
	have := pipe.Do(ctx, "WAIT", c.replicas, replicaWait.Milliseconds())
	_, _ = pipe.Exec(ctx) // every command has its own error
	for _, cmd := range []redis.Cmder{done, marked, have} {
		if err := cmd.Err(); err != nil {
			return err
		}
	}
	n, err := have.Int()
	if err != nil {
		return err
	}
	if n < c.replicas {
		return fmt.Errorf("%w: %d of %d have it", ErrNotReplicated, n, c.replicas)
	}
	return nil
}

// pipelineTo is a pipeline that goes, as a whole, to the node that serves a key.
func pipelineTo(ctx context.Context, client redis.UniversalClient, key string) (redis.Pipeliner, error) {
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return client.Pipeline(), nil
	}
	node, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		cluster.ReloadState(ctx)
		return nil, err
	}
	return node.Pipeline(), nil
}

// misdirected says whether a cluster's other node may do better, and looks for
// it. The cluster client can't follow here: it would part the pipeline.
func (c *confirmer) misdirected(ctx context.Context, err error) bool {
	cluster, ok := c.client.(*redis.ClusterClient)
	if !ok || errors.Is(err, ErrNotReplicated) || absent(err) {
		return false
	}
	_, moved := redis.IsMovedError(err)
	_, asked := redis.IsAskError(err)
	var answer redis.Error
	if errors.As(err, &answer) && !moved && !asked && !redis.IsTryAgainError(err) &&
		!redis.IsClusterDownError(err) && !redis.IsReadOnlyError(err) && !redis.IsLoadingError(err) {
		return false
	}
	cluster.ReloadState(ctx)
	return true
}

// pause waits about d; false says that ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d/2 + rand.N(d)) //nolint:gosec // jitter is no secret
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Confirm waits until replicas have the session as of head, which an answer
// that changes nothing was made from. It answers nil at once where replicas are
// not waited for, ErrNotReplicated when they are late, and ErrConflict when the
// server has another head: the answer is out of date, or its basis was lost.
func (s *Store) Confirm(ctx context.Context, t stream.Topic, head stream.ID) error {
	if s.confirmer == nil {
		return nil
	}
	var held *redis.StringCmd
	err := s.confirmer.run(ctx, confirmKey(t.Bucket), func(pipe redis.Pipeliner) redis.Cmder {
		held = pipe.HGet(ctx, sessionKeys(t).doc(), fieldHead)
		return held
	})
	if err != nil && !absent(err) && !errors.Is(err, ErrNotReplicated) {
		return outage("confirm", err)
	}
	if held.Val() != encodeID(head) {
		return fmt.Errorf("confirm: %w", ErrConflict)
	}
	if err != nil {
		return fmt.Errorf("confirm: %w", err)
	}
	return nil
}

// script runs a script and waits; a server that does not know it is sent the
// source.
func (c *confirmer) script(ctx context.Context, mark string, script *redis.Script, keys []string, args []any) (string, error) {
	var answer *redis.Cmd
	err := c.run(ctx, mark, func(pipe redis.Pipeliner) redis.Cmder {
		answer = script.EvalSha(ctx, pipe, keys, args...)
		return answer
	})
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		err = c.run(ctx, mark, func(pipe redis.Pipeliner) redis.Cmder {
			answer = script.Eval(ctx, pipe, keys, args...)
			return answer
		})
	}
	if err != nil && !errors.Is(err, ErrNotReplicated) {
		return "", err
	}
	status, textErr := answer.Text()
	return status, errors.Join(err, textErr)
}

// RunConfirmed runs a script on what others keep beside the sessions, and waits
// for replicas as a commit does. mark is a key of theirs in the slot of those
// of the script; it is written. With [ErrNotReplicated] the script has run, and
// its answer is given.
func (s *Store) RunConfirmed(ctx context.Context, mark string, script *redis.Script, keys []string, args []any) (string, error) {
	if s.confirmer == nil {
		return script.Run(ctx, s.client, keys, args...).Text()
	}
	return s.confirmer.script(ctx, mark, script, keys, args)
}

// GetConfirmed reads what others keep beside the sessions. What is there is
// read again together with the wait for replicas; what is not waits for nothing.
func (s *Store) GetConfirmed(ctx context.Context, mark, key string) (string, error) {
	text, err := s.client.Get(ctx, key).Result()
	if err != nil || s.confirmer == nil {
		return text, err
	}
	var record *redis.StringCmd
	err = s.confirmer.run(ctx, mark, func(pipe redis.Pipeliner) redis.Cmder {
		record = pipe.Get(ctx, key)
		return record
	})
	return record.Val(), err
}
