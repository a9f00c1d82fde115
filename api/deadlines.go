package api

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// bodyTimeout is how long a client may take to send its body; it stops
	// clients that hold a connection by sending a byte now and then.
	bodyTimeout = 30 * time.Second
	// answerTimeout is how long a request may take to be answered and read: the
	// longest wait, and a minute for a slow line. Streams set their own.
	answerTimeout = maxWait + time.Minute
)

// deadline makes sure that no reader holds a connection for ever. It sets the
// deadline on every request, since a connection keeps the one before.
func (s *server) deadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := setWriteDeadline(w, time.Now().Add(answerTimeout)); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Deadlines do nothing where there is no connection, as in recorders.

func setReadDeadline(w http.ResponseWriter, at time.Time) error {
	err := http.NewResponseController(w).SetReadDeadline(at)
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("set read deadline: %w", err)
	}
	return nil
}

func setWriteDeadline(w http.ResponseWriter, at time.Time) error {
	err := http.NewResponseController(w).SetWriteDeadline(at)
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("set write deadline: %w", err)
	}
	return nil
}
