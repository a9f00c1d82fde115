package store

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// link is one subscription connection with the goroutine that reads it. The
// feed's goroutine owns everything else.
type link struct {
	ps    *redis.PubSub
	node  string
	quiet atomic.Int32 // pings without an answer or a message since
	log   *slog.Logger
}

// maxQuiet is how many pings in a row may stay unanswered.
const maxQuiet = 2

// linkReport is what a link tells the feed.
type linkReport struct {
	link *link
	// lost is a bucket that the node does not serve any more.
	lost uint16
	// dead is why the link ended; nil when only a bucket is lost.
	dead error
}

// read delivers messages until the connection ends, then reports its death.
func (l *link) read(ctx context.Context, sink stream.Sink, reports chan<- linkReport) {
	report := func(r linkReport) {
		select {
		case reports <- r:
		case <-ctx.Done():
		}
	}
	for {
		message, err := l.ps.Receive(ctx)
		if err != nil {
			report(linkReport{link: l, dead: err})
			return
		}
		l.quiet.Store(0)
		if lost, ok := l.deliver(message, sink); ok {
			report(linkReport{link: l, lost: lost})
		}
	}
}

// deliver hands one message on. It answers a bucket that was unsubscribed: the
// node does so by itself when a slot leaves it.
func (l *link) deliver(message any, sink stream.Sink) (lost uint16, ok bool) {
	switch m := message.(type) {
	case *redis.Message:
		l.notify(m, sink)
	case *redis.Subscription:
		bucket, err := channelBucket(m.Channel)
		if err != nil {
			l.log.Warn("unexpected subscription", slog.String("channel", m.Channel))
			return 0, false
		}
		if m.Kind == "unsubscribe" || m.Kind == "sunsubscribe" {
			return bucket, true
		}
		sink.Resync([]uint16{bucket})
	}
	return 0, false
}

// notify reports a commit to the readers of each log that it wrote to. A message that can't be read is one that was lost.
func (l *link) notify(m *redis.Message, sink stream.Sink) {
	bucket, err := channelBucket(m.Channel)
	if err != nil {
		l.log.Warn("unexpected message", slog.String("channel", m.Channel))
		return
	}
	notices, err := decodeMessage(bucket, m.Payload)
	if err != nil {
		l.log.Warn("unreadable notice", slog.String("channel", m.Channel), slog.Any("error", err))
		sink.Resync([]uint16{bucket})
		return
	}
	for _, n := range notices {
		sink.Notify(n)
	}
}
