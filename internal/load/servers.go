package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/r3labs/sse/v2"
)

// serve runs one of the servers that the gateway is measured beside. POST
// /publish sends its body to all readers of /events.
func serve(kind string) {
	mux := http.NewServeMux()
	switch kind {
	case "bare":
		b := &bare{readers: map[chan []byte]bool{}}
		mux.HandleFunc("/events", b.events)
		mux.HandleFunc("/publish", b.publish)
	case "r3labs":
		s := sse.New()
		s.AutoReplay = true
		s.CreateStream("s")
		mux.HandleFunc("/events", s.ServeHTTP)
		mux.HandleFunc("/publish", func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			s.Publish("s", &sse.Event{Data: body, Event: []byte("session.updated")})
		})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // the server lives until it is killed
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s listens on http://%s\n", kind, l.Addr()) //nolint:forbidigo // the driver reads it
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, Protocols: protocols}
	if err := server.Serve(l); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bare is the least that streams events with net/http: a channel for each
// reader and a flush for each event.
type bare struct {
	mu      sync.Mutex
	readers map[chan []byte]bool
}

func (b *bare) events(w http.ResponseWriter, r *http.Request) {
	ch := make(chan []byte, 16)
	b.mu.Lock()
	b.readers[ch] = true
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.readers, ch)
		b.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	_, _ = w.Write([]byte(": hello\n\n")) // a reader that left is seen by its context
	_ = control.Flush()
	for {
		select {
		case <-r.Context().Done():
			return
		case frame := <-ch:
			_, _ = w.Write(frame)
			_ = control.Flush()
		}
	}
}

func (b *bare) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	frame := []byte("event: session.updated\ndata: " + string(body) + "\n\n")
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.readers {
		ch <- frame
	}
}
