package store

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/stream"
)

// Two replicas commit at random to the same sessions, each on the head that it
// believes in, with every command run twice as after a lost reply: of those
// that saw the same head one wins, and log and document stay one history.
func TestReplicasThatRaceWriteOneHistory(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		stores := []*Store{open(), open()}
		stores[1].client.AddHook(twice())
		rapid.Check(t, func(r *rapid.T) { raceOnce(t, r, stores) })
	})
}

func raceOnce(t *testing.T, r *rapid.T, stores []*Store) {
	topic := newTopic()
	head := create(t, stores[0], topic)
	won := map[stream.ID]int{} // by the head they were decided against
	for step := range rapid.IntRange(1, 4).Draw(r, "steps") {
		var racing []Commit
		for i := range rapid.IntRange(1, 4).Draw(r, "racers") {
			s := stores[i%2]
			c := change(s, topic, head, rapid.IntRange(1, 3).Draw(r, "events"))
			if rapid.Bool().Draw(r, "stale") && step > 0 {
				c = change(s, topic, stream.ID{Seq: head.Seq, Hash: stream.Hash{byte(i)}}, 1)
			}
			c.Doc.Set = Fields{"last": c.ID, "n": strconv.Itoa(i)}
			racing = append(racing, c)
		}
		for _, c := range winners(r, stores, racing) {
			won[c.Expect]++
			head = c.head()
			if last := load(t, stores[0], topic).Doc["last"]; last != c.ID {
				r.Fatalf("the document is of %s, the winner is %s", last, c.ID)
			}
		}
	}
	for id, n := range won {
		if n != 1 {
			r.Fatalf("%d commits won on %s", n, id)
		}
	}
	events, err := stores[1].Read(t.Context(), topic, 0, 1<<30)
	require.NoError(t, err)
	require.Equal(t, head, verify(t, stream.ID{}, events))
	require.Equal(t, head, load(t, stores[1], topic).Head)
}

// winners runs commits at once.
func winners(r *rapid.T, stores []*Store, racing []Commit) []Commit {
	var mu sync.Mutex
	var won []Commit
	var failed error
	var wg sync.WaitGroup
	for i, c := range racing {
		wg.Go(func() {
			err := stores[i%2].Commit(r.Context(), c)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, c)
			} else if !errors.Is(err, ErrConflict) {
				failed = err
			}
		})
	}
	wg.Wait()
	if failed != nil {
		r.Fatalf("commit: %v", failed)
	}
	return won
}

// Of requests with one Idempotency-Key one is stored, whatever they change.
func TestOneOfManyRequestsWithTheSameKeyIsStored(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		stores, topic := []*Store{open(), open()}, newTopic()
		head := create(t, stores[0], topic)
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			s := stores[i%2]
			c := change(s, topic, head, 1)
			c.Idempotency = &Idempotency{Scope: "k", Answer: fmt.Append(nil, i), TTL: time.Hour}
			wg.Go(func() { errs[i] = s.Commit(t.Context(), c) })
		}
		wg.Wait()
		stored, err := stores[0].Idempotent(t.Context(), topic, "k")
		require.NoError(t, err)
		for i, err := range errs {
			if err == nil {
				require.Equal(t, strconv.Itoa(i), string(stored.Answer))
			} else {
				require.ErrorIs(t, err, ErrIdempotent)
			}
		}
	})
}
