package store

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/stream"
)

// maxFrames is how many bytes of events travel in a notice (design §10); a
// larger commit announces its heads, and replicas that care read the log.
const maxFrames = 8 << 10

// encodeNotice is what a commit tells the replicas that watch its bucket: a
// line `tenant sid seq previous-hash hash n`, then n lines `type hash json`.
// Event JSON has no line breaks, so nothing needs to be escaped.
func encodeNotice(c *Commit) []byte {
	head := c.head()
	carried := c.Events
	if size(carried) > maxFrames {
		carried = nil
	}
	b := make([]byte, 0, 256+size(carried)+len(carried)*128)
	b = fmt.Appendf(b, "%s %s %d %s %s %d", c.Topic.Tenant, c.Topic.Session,
		head.Seq, c.Expect.Hash, head.Hash, len(carried))
	for _, e := range carried {
		b = append(b, '\n')
		b = append(b, e.Type...)
		b = append(b, ' ')
		b = hex.AppendEncode(b, e.Hash[:])
		b = append(b, ' ')
		b = append(b, e.JSON...)
	}
	return b
}

func size(events []stream.Event) int {
	n := 0
	for _, e := range events {
		n += len(e.JSON)
	}
	return n
}

// decodeMessage reads a message of a bucket's channel: what a commit tells of
// the session's log and, if it wrote there, of the tenant's.
func decodeMessage(bucket uint16, message string) ([]stream.Notice, error) {
	told, rest, err := cutOverview(message)
	if err != nil {
		return nil, err
	}
	n, err := decodeNotice(bucket, rest)
	if err != nil || told == nil {
		return []stream.Notice{n}, err
	}
	wide, err := told.notice(n)
	return []stream.Notice{n, wide}, err
}

// decodeNotice reads what encodeNotice wrote.
func decodeNotice(bucket uint16, message string) (stream.Notice, error) {
	first, rest, _ := strings.Cut(message, "\n")
	f := strings.Split(first, " ")
	if len(f) != 6 {
		return stream.Notice{}, fmt.Errorf("decode notice: %d fields", len(f))
	}
	seq, err := strconv.ParseUint(f[2], 10, 64)
	if err != nil {
		return stream.Notice{}, fmt.Errorf("decode notice: %w", err)
	}
	prev, err := decodeHash(f[3])
	if err != nil {
		return stream.Notice{}, err
	}
	hash, err := decodeHash(f[4])
	if err != nil {
		return stream.Notice{}, err
	}
	n := stream.Notice{
		Topic: stream.Topic{Bucket: bucket, Tenant: f[0], Session: f[1]},
		Head:  stream.ID{Seq: seq, Hash: hash},
	}
	if f[5] == "0" {
		return n, nil
	}
	n.Events, err = decodeEvents(n.Head, prev, rest, f[5])
	return n, err
}

// decodeEvents reads the lines of a notice; they must lead to its head.
func decodeEvents(head stream.ID, prev stream.Hash, lines, count string) ([]stream.Event, error) {
	all := strings.Split(lines, "\n")
	if strconv.Itoa(len(all)) != count || uint64(len(all)) > head.Seq {
		return nil, fmt.Errorf("decode notice: %d events, announced %s", len(all), count)
	}
	events := make([]stream.Event, 0, len(all))
	seq := head.Seq - uint64(len(all))
	for _, line := range all {
		f := strings.SplitN(line, " ", 3)
		if len(f) != 3 {
			return nil, fmt.Errorf("decode notice: event has %d fields", len(f))
		}
		hash, err := decodeHash(f[1])
		if err != nil {
			return nil, err
		}
		seq++
		events = append(events, stream.Event{Seq: seq, Prev: prev, Hash: hash, Type: f[0], JSON: []byte(f[2])})
		prev = hash
	}
	if prev != head.Hash {
		return nil, fmt.Errorf("decode notice: events do not lead to %s", head)
	}
	return events, nil
}

func decodeHash(s string) (stream.Hash, error) {
	var h stream.Hash
	if hex.DecodedLen(len(s)) != len(h) {
		return h, fmt.Errorf("decode hash: %d digits", len(s))
	}
	_, err := hex.Decode(h[:], []byte(s))
	if err != nil {
		return h, fmt.Errorf("decode hash: %w", err)
	}
	return h, nil
}
