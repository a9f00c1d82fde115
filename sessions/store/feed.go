package store

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/session-gateway/gateway/stream"
)

const (
	// feedCheck is how often links are pinged and channels' nodes looked up.
	feedCheck = 5 * time.Second
	// feedPatience is how long a node may take to be subscribed to. It is tried
	// again; meanwhile the channels of the others have their turn.
	feedPatience = time.Second
	// feedRetry is how long a failed subscription waits, give or take half.
	feedRetry = 200 * time.Millisecond
)

// feed keeps subscriptions to the watched buckets.
type feed struct {
	sub     subscriber
	log     *slog.Logger
	check   time.Duration // feedCheck, but in tests
	changed chan struct{} // holds one token when watched changed

	mu      sync.Mutex // guards watched
	watched map[uint16]int

	// The rest belongs to run's goroutine.
	links   map[string]*link // by node
	homes   map[uint16]*link // where a bucket is subscribed
	reports chan linkReport
	readers sync.WaitGroup
}

func newFeed(sub subscriber, log *slog.Logger) *feed {
	return &feed{
		sub: sub, log: log, check: feedCheck, changed: make(chan struct{}, 1),
		watched: make(map[uint16]int), links: make(map[string]*link), homes: make(map[uint16]*link),
		reports: make(chan linkReport),
	}
}

// Watch asks for the commits of a bucket, from the Resync that follows on. It
// may be called several times; as many Unwatch end it.
func (s *Store) Watch(bucket uint16) { s.feed.count(bucket, 1) }

// Unwatch takes one Watch back.
func (s *Store) Unwatch(bucket uint16) { s.feed.count(bucket, -1) }

func (f *feed) count(bucket uint16, by int) {
	f.mu.Lock()
	before := f.watched[bucket]
	after := max(before+by, 0)
	f.watched[bucket] = after
	if after == 0 {
		delete(f.watched, bucket)
	}
	f.mu.Unlock()
	if (before > 0) != (after > 0) {
		f.wake()
	}
}

func (f *feed) wake() {
	select {
	case f.changed <- struct{}{}:
	default: // a look is due already
	}
}

func (f *feed) wanted(bucket uint16) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watched[bucket] > 0
}

// run keeps the subscriptions until ctx ends.
func (f *feed) run(ctx context.Context, sink stream.Sink) error {
	ctx, cancel := context.WithCancel(ctx)
	defer f.readers.Wait()
	defer f.closeAll()
	defer cancel()
	check := time.NewTicker(f.check)
	defer check.Stop()
	retry := time.NewTimer(0) // what was watched before
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-f.reports:
			f.heed(ctx, r)
			retry.Reset(retryDelay())
			continue
		case <-check.C:
			f.probe(ctx)
			f.follow(ctx)
		case <-f.changed:
		case <-retry.C:
		}
		if err := f.reconcile(ctx, sink); err != nil && ctx.Err() == nil {
			f.log.Warn("could not subscribe", slog.Any("error", err))
			retry.Reset(retryDelay())
		}
	}
}

// retryDelay is jittered, so that replicas don't come back all at once.
func retryDelay() time.Duration {
	return feedRetry/2 + rand.N(feedRetry) //nolint:gosec // jitter is no secret
}

// reconcile subscribes what is wanted and not there, and the reverse. It tries
// every node and answers the last failure.
func (f *feed) reconcile(ctx context.Context, sink stream.Sink) error {
	var failed error
	for bucket, l := range f.homes {
		if !f.wanted(bucket) {
			delete(f.homes, bucket)
			if err := f.sub.unsubscribe(ctx, l.ps, eventsChannel(bucket)); err != nil {
				failed = fmt.Errorf("unsubscribe: %w", err)
			}
		}
	}
	missing, err := f.missing(ctx)
	if err != nil {
		failed = err
	}
	for _, node := range f.inOrder(missing) {
		if err := f.subscribeAt(ctx, node, missing[node], sink); err != nil {
			failed = err
		}
	}
	return failed
}

// missing are the buckets that are wanted and not there, by the node that
// serves them. It looks for every node and answers the last failure.
func (f *feed) missing(ctx context.Context) (byNode map[string][]uint16, failed error) {
	byNode = make(map[string][]uint16)
	for _, bucket := range f.homeless() {
		node, err := f.sub.node(ctx, eventsChannel(bucket))
		if err != nil {
			failed = err
			continue
		}
		byNode[node] = append(byNode[node], bucket)
	}
	return byNode, failed
}

func (f *feed) homeless() []uint16 {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []uint16
	for bucket := range f.watched {
		if f.homes[bucket] == nil {
			out = append(out, bucket)
		}
	}
	return out
}

// inOrder puts nodes that are linked first: to reach one that is silent takes
// seconds, which the buckets of the others must not wait.
func (f *feed) inOrder(byNode map[string][]uint16) []string {
	var linked, others []string
	for node := range byNode {
		if f.links[node] != nil {
			linked = append(linked, node)
		} else {
			others = append(others, node)
		}
	}
	return append(linked, others...)
}

// subscribeAt subscribes buckets at their node. When one fails, so would the
// others, each after its time; they are missing still when it is tried again.
func (f *feed) subscribeAt(ctx context.Context, node string, buckets []uint16, sink stream.Sink) error {
	for _, bucket := range buckets {
		if err := f.subscribe(ctx, node, bucket, sink); err != nil {
			return err
		}
	}
	return nil
}

func (f *feed) subscribe(life context.Context, node string, bucket uint16, sink stream.Sink) error {
	ctx, cancel := context.WithTimeout(life, feedPatience)
	defer cancel()
	channel := eventsChannel(bucket)
	l, err := f.linkTo(ctx, node, channel)
	if err != nil {
		return err
	}
	fresh := f.links[l.node] == nil
	if err := f.sub.subscribe(ctx, l.ps, channel); err != nil {
		f.drop(l)
		return fmt.Errorf("subscribe %s: %w", channel, err)
	}
	f.homes[bucket] = l
	if fresh {
		f.links[l.node] = l
		f.readers.Go(func() { l.read(life, sink, f.reports) })
	}
	return nil
}

// linkTo is the link to the node of a channel; a new one is not read yet.
func (f *feed) linkTo(ctx context.Context, node, channel string) (*link, error) {
	if l := f.links[node]; l != nil {
		return l, nil
	}
	ps, err := f.sub.connect(ctx, channel)
	if err != nil {
		return nil, err
	}
	return &link{ps: ps, node: node, log: f.log}, nil
}

// heed takes a link's report.
func (f *feed) heed(ctx context.Context, r linkReport) {
	if r.dead != nil {
		f.sub.refresh(ctx)
		if f.links[r.link.node] == r.link {
			f.log.Warn("subscription ended", slog.String("node", r.link.node), slog.Any("error", r.dead))
		}
		f.drop(r.link)
		return
	}
	if f.homes[r.lost] == r.link {
		delete(f.homes, r.lost)
	}
}

// drop ends a link; its buckets are missing from now on.
func (f *feed) drop(l *link) {
	_ = l.ps.Close() // it is broken, or closed already
	if f.links[l.node] == l {
		delete(f.links, l.node)
	}
	maps.DeleteFunc(f.homes, func(_ uint16, home *link) bool { return home == l })
}

func (f *feed) closeAll() {
	for _, l := range slices.Collect(maps.Values(f.links)) {
		f.drop(l)
	}
}

// probe pings every link and drops those that have been quiet too long: a
// frozen server or a cut network closes no connection.
func (f *feed) probe(ctx context.Context) {
	for _, l := range slices.Collect(maps.Values(f.links)) {
		if l.quiet.Add(1) > maxQuiet {
			f.log.Warn("subscription is silent", slog.String("node", l.node))
			f.drop(l)
		} else if err := l.ps.Ping(ctx); err != nil {
			f.drop(l)
		}
	}
}

// follow drops subscriptions whose channel moved to another node.
func (f *feed) follow(ctx context.Context) {
	if !f.sub.moves() {
		return
	}
	for bucket, l := range f.homes {
		node, err := f.sub.node(ctx, eventsChannel(bucket))
		if err != nil || node == l.node { // not knowing is no reason to stop
			continue
		}
		delete(f.homes, bucket)
		if err := f.sub.unsubscribe(ctx, l.ps, eventsChannel(bucket)); err != nil {
			f.log.Warn("could not unsubscribe", slog.String("node", l.node), slog.Any("error", err))
		}
	}
}
