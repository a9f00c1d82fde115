package stream_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// sink is a response writer that counts events down.
type sink struct {
	head http.Header
	got  func(bytes int)
}

func (s *sink) Header() http.Header              { return s.head }
func (s *sink) WriteHeader(int)                  {}
func (s *sink) Write(p []byte) (int, error)      { s.got(len(p)); return len(p), nil }
func (s *sink) FlushError() error                { return nil }
func (s *sink) SetWriteDeadline(time.Time) error { return nil }

// BenchmarkFanout is one event to all readers of a log, without sockets.
func BenchmarkFanout(b *testing.B) {
	for _, readers := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) { fanOut(b, readers) })
	}
}

func fanOut(b *testing.B, readers int) {
	logs := streamtest.New()
	logs.Append(topic, drafts(1)...)
	hub := newHub(logs, nil)
	start(b, hub)
	var pending sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	var streams sync.WaitGroup
	defer streams.Wait()
	defer cancel()
	pending.Add(readers)
	for range readers {
		streams.Go(func() {
			w := &sink{head: http.Header{}, got: func(int) { pending.Done() }}
			assertServed(b, hub.Serve(ctx, w, stream.Request{Topic: topic, Cursor: stream.Latest()}))
		})
	}
	pending.Wait() // the opening
	b.ReportAllocs()
	for b.Loop() {
		pending.Add(readers)
		logs.Append(topic, draft("call.result", 200))
		pending.Wait()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*readers), "ns/delivery")
}

func assertServed(b *testing.B, err error) {
	if err != nil {
		b.Error(err)
	}
}

// idleStreams is enough that what the process itself needs does not count.
const idleStreams = 2000

// BenchmarkIdleStream is the memory of a stream that waits, over HTTP/1.1,
// beside the least that a handler can do with net/http. It is a figure, not a
// time: it is taken once, however often the benchmark is repeated.
func BenchmarkIdleStream(b *testing.B) {
	idle.Do(func() {
		idle.bare = memoryPerStream(b, func() http.Handler { return http.HandlerFunc(bareStream) })
		idle.ours = memoryPerStream(b, func() http.Handler { return hubStream(b) })
	})
	for b.Loop() {
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(idle.bare, "bare-B/stream")
	b.ReportMetric(idle.ours, "B/stream")
	b.ReportMetric(idle.ours/idle.bare, "ratio")
}

var idle struct {
	sync.Once
	bare, ours float64
}

func hubStream(b *testing.B) http.Handler {
	logs := streamtest.New()
	logs.Append(topic, drafts(3)...)
	hub := newHub(logs, nil)
	start(b, hub)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assertServed(b, hub.Serve(r.Context(), w, stream.Request{Topic: topic}))
	})
}

// bareStream writes one event and waits with a heartbeat.
func bareStream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		_, _ = fmt.Fprint(w, "id: 1\ndata: {}\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

func memoryPerStream(b *testing.B, handler func() http.Handler) float64 {
	srv := listen(b, handler())
	before := memory()
	conns := make([]net.Conn, idleStreams)
	one := make([]byte, 1)
	for i := range conns {
		conns[i] = dial(b, srv.URL)
	}
	for _, c := range conns {
		_, err := c.Read(one)
		require.NoError(b, err)
	}
	used := memory() - before
	for _, c := range conns {
		require.NoError(b, c.Close())
	}
	return float64(used) / idleStreams
}

// memory is what the process uses, once what can be let go is.
func memory() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
