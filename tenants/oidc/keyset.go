package oidc

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// refreshEvery is how often a key set is fetched: so long a key that was
	// taken out of it is good for yet.
	refreshEvery = 5 * time.Minute
	// refetchAfter is the least time between two fetches, so that tokens with
	// made-up key ids can't turn the gateway against the issuer.
	refetchAfter = time.Minute
	// goodFor is how long keys are trusted that can't be fetched again: as long
	// as tokens usually live, so that an issuer's outage ends no sign-in that it
	// could have renewed.
	goodFor = time.Hour
	// findTimeout is how long a request waits for keys.
	findTimeout = 15 * time.Second
)

var (
	errNoKey   = errors.New("the issuer has no such key")
	errWaiting = errors.New("the key set could not be fetched in time")
)

// keySet is the key set of an issuer. Requests only look keys up; run fetches.
type keySet struct {
	source *source
	ask    chan struct{} // to fetch now

	mu      sync.Mutex // guards what follows
	keys    []key
	fetched time.Time     // when keys were fetched
	tried   time.Time     // when a fetch began last
	pending chan struct{} // closed when the next fetch is over; nil: nobody waits
}

func newKeySet(s *source) *keySet { return &keySet{source: s, ask: make(chan struct{}, 1)} }

// find is the key that a token says it is signed with.
func (k *keySet) find(ctx context.Context, said unverified) (key, error) {
	found, next := k.look(said)
	if next == nil {
		return orNone(found)
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	select {
	case <-next:
	case <-ctx.Done():
		return key{}, errWaiting
	}
	found, _ = k.look(said)
	return orNone(found)
}

func orNone(found *key) (key, error) {
	if found == nil {
		return key{}, errNoKey
	}
	return *found, nil
}

// look finds a key, or tells what to wait for: the next fetch, if there may be
// one now.
func (k *keySet) look(said unverified) (*key, <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.fetched) < goodFor {
		if found := choose(k.keys, said); found != nil {
			return found, nil
		}
	}
	if k.pending == nil {
		if !k.tried.IsZero() && time.Since(k.tried) < refetchAfter {
			return nil, nil
		}
		k.pending = make(chan struct{})
		k.ask <- struct{}{} // there is room: begin empties it, and pending is set until its end
	}
	return nil, k.pending
}

// run fetches the set, now, when it is asked to and every now and then.
func (k *keySet) run(ctx context.Context) error {
	for {
		k.fetch(ctx)
		pause := time.NewTimer(refreshEvery - rand.N(refetchAfter)) //nolint:gosec // jitter: replicas don't ask all at once
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-k.ask:
			pause.Stop()
		case <-pause.C:
		}
	}
}

// fetch gets the set once. Keys stay as they were when it fails.
func (k *keySet) fetch(ctx context.Context) {
	k.begin()
	keys, err := k.source.fetch(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.keys, k.fetched = keys, time.Now()
	} else if ctx.Err() == nil {
		k.source.log.LogAttrs(ctx, slog.LevelWarn, "fetching the issuer's keys failed", slog.Any("error", err))
	}
	close(k.pending)
	k.pending = nil
}

// begin lets whoever asks from now on wait for this fetch.
func (k *keySet) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried = time.Now()
	if k.pending == nil {
		k.pending = make(chan struct{})
	}
	select {
	case <-k.ask: // this is what was asked for
	default:
	}
}
