package hooks

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

// The limits of a sender.
const (
	// maxInFlight is how many requests a tenant has at once: one receiver that
	// hangs holds no more connections than these.
	maxInFlight = 16
	// maxQueued is how many messages of a tenant wait: a batch of 256 calls for
	// four hooks.
	maxQueued = 1024
	// maxTenantBytes and maxBytes bound the bodies that a tenant, and all of
	// them, have waiting and in flight: arguments may be 1 MiB each.
	maxTenantBytes = 16 << 20
	maxBytes       = 128 << 20
	// drainTime is how long requests in flight may still take when the sender
	// stops. What has not begun is left to other replicas.
	drainTime = 5 * time.Second
)

// Config is what a sender needs.
type Config struct {
	Client *http.Client // of internal/egress, answers bounded by MaxAnswerBytes
	Logger *slog.Logger
	// Observe counts; nil: nobody does. It may be called by several at once.
	Observe func(tenants.HookEvent, Result)
}

// Sender sends messages. It may be used concurrently; Run has to run beside it.
type Sender struct {
	client  *http.Client
	observe func(tenants.HookEvent, Result)
	health  *health
	wake    chan struct{} // there may be work to begin

	mu      sync.Mutex // guards what follows
	stopped bool
	lanes   map[string]*lane // of tenants that have messages
	held    map[[2]string]bool
	bytes   int
}

// lane is a tenant's messages.
type lane struct {
	tenant  string
	queue   []Message
	bytes   int // of those that wait or are in flight
	running int
}

// New makes a sender.
func New(c Config) *Sender {
	s := &Sender{
		client: c.Client, observe: c.Observe, health: newHealth(c.Logger), wake: make(chan struct{}, 1),
		lanes: make(map[string]*lane), held: make(map[[2]string]bool),
	}
	if s.observe == nil {
		s.observe = func(tenants.HookEvent, Result) {}
	}
	return s
}

// Send takes a message to be sent soon. One that is waiting or in flight
// already is not taken twice. False says that there is no room, or that the
// sender has stopped.
func (s *Sender) Send(m Message) bool {
	taken := s.enqueue(m)
	if !taken {
		s.observe(m.Event, Refused)
		s.health.failed(context.Background(), &m, errNoRoom)
		return false
	}
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
	return true
}

func (s *Sender) enqueue(m Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	if s.held[m.key()] {
		return true
	}
	l := s.lanes[m.Tenant]
	if l == nil {
		l = &lane{tenant: m.Tenant}
	}
	size := len(m.Body)
	if len(l.queue) >= maxQueued || l.bytes+size > maxTenantBytes || s.bytes+size > maxBytes {
		return false
	}
	s.lanes[m.Tenant], s.held[m.key()] = l, true
	l.queue, l.bytes, s.bytes = append(l.queue, m), l.bytes+size, s.bytes+size
	return true
}

// Run sends until ctx ends, then lets what is in flight finish for a while.
func (s *Sender) Run(ctx context.Context) error {
	life, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	var workers sync.WaitGroup
	for {
		select {
		case <-ctx.Done():
			s.stop()
			defer time.AfterFunc(drainTime, cut).Stop()
			workers.Wait()
			s.client.CloseIdleConnections()
			return ctx.Err()
		case <-s.wake:
		}
		for _, l := range s.beginners() {
			workers.Go(func() { s.work(life, l) })
		}
	}
}

// stop takes no more messages and drops those that have not begun.
func (s *Sender) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, l := range s.lanes {
		l.queue = nil
	}
}

// beginners are lanes that another worker begins on, once for each worker.
func (s *Sender) beginners() []*lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*lane
	for _, l := range s.lanes {
		for range min(len(l.queue), maxInFlight-l.running) {
			l.running++
			out = append(out, l)
		}
	}
	return out
}

// work sends a lane's messages until none is left.
func (s *Sender) work(ctx context.Context, l *lane) {
	for {
		m, ok := s.next(l)
		if !ok {
			return
		}
		s.deliver(ctx, &m)
		s.release(l, &m)
	}
}

// next takes the lane's first message; without one its worker is done.
func (s *Sender) next(l *lane) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(l.queue) == 0 {
		if l.running--; l.running == 0 {
			delete(s.lanes, l.tenant)
		}
		return Message{}, false
	}
	m := l.queue[0]
	l.queue[0] = Message{}
	l.queue = l.queue[1:]
	return m, true
}

func (s *Sender) release(l *lane, m *Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, m.key())
	l.bytes, s.bytes = l.bytes-len(m.Body), s.bytes-len(m.Body)
}
