package stream

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// ErrNoLog says that there is no such log (never was, or is gone).
var ErrNoLog = errors.New("no such event log")

// Next is the hash of the event whose JSON follows prev.
func Next(prev Hash, eventJSON []byte) Hash {
	h := sha256.New()
	h.Write(prev[:])
	h.Write(eventJSON)
	var out Hash
	h.Sum(out[:0])
	return out
}

// Seal gives drafts their places behind head. Data must be valid JSON without
// line breaks; a draft that is not is a programming error and panics, because
// it would forge a frame.
func Seal(head ID, session string, at time.Time, drafts []Draft) []Event {
	events := make([]Event, 0, len(drafts))
	stamp := FormatTime(at)
	for _, d := range drafts {
		seq := head.Seq + 1
		body := envelope(seq, session, stamp, d)
		e := Event{Seq: seq, Prev: head.Hash, Hash: Next(head.Hash, body), Type: d.Type, JSON: body}
		events = append(events, e)
		head = e.ID()
	}
	return events
}

func envelope(seq uint64, session, stamp string, d Draft) []byte {
	for _, c := range d.Data {
		if c == '\n' || c == '\r' {
			panic("stream: event data holds a line break")
		}
	}
	b := make([]byte, 0, len(d.Data)+160)
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, `,"type":`...)
	b = appendString(b, d.Type)
	b = append(b, `,"session_id":`...)
	b = appendString(b, session)
	if d.BatchID != "" {
		b = append(b, `,"batch_id":`...)
		b = appendString(b, d.BatchID)
	}
	b = append(b, `,"time":"`...)
	b = append(b, stamp...)
	b = append(b, `","data":`...)
	b = append(b, d.Data...)
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil { // a string always marshals
		panic(err)
	}
	return append(b, q...)
}
