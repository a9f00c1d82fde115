package stream

import (
	"strconv"
	"time"
)

// control is a frame that the stream says about itself. It stands outside the
// log: no place in the chain, and an id only where a reader can go on from it.
// What does not apply is left out.
type control struct {
	typ     string
	session string
	at      time.Time
	data    []byte
	id      string
	seq     uint64
}

// append appends the frame, its JSON in the envelope that events have.
func (c control) append(b []byte) ([]byte, error) {
	j := make([]byte, 0, len(c.data)+160)
	j = append(j, '{')
	if c.seq > 0 {
		j = append(j, `"seq":`...)
		j = strconv.AppendUint(j, c.seq, 10)
		j = append(j, ',')
	}
	j = append(j, `"type":`...)
	j = appendString(j, c.typ)
	if c.session != "" {
		j = append(j, `,"session_id":`...)
		j = appendString(j, c.session)
	}
	j = append(j, `,"time":"`...)
	j = append(j, FormatTime(c.at)...)
	j = append(j, `","data":`...)
	j = append(append(j, c.data...), '}')
	if c.id != "" {
		b = appendID(b, c.id)
	}
	return appendBody(b, c.typ, j)
}

// resetData is the data of stream.reset.
func resetData(why Reason, cursor string) []byte {
	b := appendString([]byte(`{"reason":`), string(why))
	b = appendString(append(b, `,"cursor":`...), cursor)
	return append(b, '}')
}

// errorData is the data of stream.error.
func errorData(why Reason) []byte {
	return append(appendString([]byte(`{"reason":`), string(why)), '}')
}
