package stream_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

func TestReadersThatComeAndGoWhileEventsAreWrittenMissNone(t *testing.T) {
	t.Parallel()
	logs := streamtest.New()
	logs.Append(topic, drafts(1)...)
	hub := newHub(logs, func(c *stream.Config) {
		c.RingBytes, c.Compare, c.Linger = 3000, 10*time.Millisecond, time.Millisecond
	})
	start(t, hub)
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() { readInPieces(t, logs, hub) })
	}
	for range 400 {
		n := logs.Commit(topic, drafts(1+rand.IntN(3))...)
		if rand.IntN(4) > 0 { // some notices are lost
			logs.Announce(n)
		}
	}
	logs.Append(topic, draft(stream.TypeClosed, 1))
	readers.Wait()
}

// readInPieces reads a log to its end, with a new stream after each few events.
func readInPieces(t *testing.T, logs *streamtest.Logs, hub *stream.Hub) {
	t.Helper()
	got := []string{}
	for at := (stream.Cursor{}); ; {
		ctx, cancel := context.WithCancel(t.Context())
		c := newClient()
		left := 1 + rand.IntN(100)
		c.onWrite = func() {
			if left--; left == 0 {
				cancel()
			}
		}
		err := hub.Serve(ctx, c, stream.Request{Topic: topic, Cursor: at})
		cancel()
		if !assertNoError(t, err) {
			return
		}
		got = append(got, c.ids()...)
		if events := c.events(); len(events) > 0 {
			if events[len(events)-1].typ == stream.TypeClosed {
				break
			}
			at = cursor(t, events[len(events)-1].id)
		}
	}
	if want := ids(logs.Events(topic)); len(want) != len(got) || want[len(want)-1] != got[len(got)-1] {
		t.Errorf("read %d of %d events", len(got), len(want))
	}
}

// assertNoError is for goroutines beside the test's own.
func assertNoError(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

func TestStreamsEndWithTheHub(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		logs := streamtest.New()
		logs.Append(topic, drafts(1)...)
		hub := newHub(logs, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { assertNoError(t, hub.Run(ctx)) }()
		c := connect(t, hub, stream.Request{Topic: topic})
		synctest.Wait()
		cancel()
		<-c.done
		require.NoError(t, c.err)
		synctest.Wait()
		require.Equal(t, stream.Stats{}, hub.Stats(), "nothing is left")
	})
}

func TestAReaderWhoComesBackSoonCostsNoReadOfTheLog(t *testing.T) {
	onStage(t, nil, func(s stage) {
		s.connect(stream.Request{})
		reads := s.logs.Reads()
		for _, id := range s.wholeLog() {
			s.connect(stream.Request{Cursor: cursor(s.t, id)})
		}
		require.Equal(t, reads, s.logs.Reads())
	})
}

// wrongSnapshots names an event that the log does not have.
type wrongSnapshots struct{}

func (wrongSnapshots) Snapshot(context.Context, stream.Topic) ([]byte, stream.ID, error) {
	return []byte(`{}`), stream.ID{Seq: 2, Hash: stream.Hash{1}}, nil
}

func TestSnapshotsThatNeverFitEndTheStream(t *testing.T) {
	onStage(t, func(c *stream.Config) { c.Snapshots = wrongSnapshots{} }, func(s stage) {
		healthy := s.connect(stream.Request{})
		c := s.connect(stream.Request{Cursor: cursor(s.t, "9-00000000")})
		require.True(t, c.over())
		got := c.events()
		require.Len(t, got, 7, "three resets with their snapshots, then the end")
		require.Contains(t, got[6].data, `"reason":"unstable"`)
		require.Equal(t, s.wholeLog(), healthy.ids(), "nobody else is disturbed")
	})
}

func TestALogThatIsDroppedWhileItGrowsIsLetGo(t *testing.T) {
	t.Parallel()
	logs := streamtest.New()
	logs.Append(topic, drafts(3)...)
	hub := newHub(logs, nil)
	listed, err := hub.ListedAfterLateCharge(topic, logs.Events(topic))
	require.NoError(t, err)
	require.Zero(t, listed)
	require.Zero(t, hub.Stats().RingBytes)
}
