package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// free is a session in which everything runs, as often as it likes.
var free = object{"approval_mode": "yolo", "loop": object{"identical_calls": 0, "calls_per_turn": 0}}

// crowd is how many readers follow a session at once.
const crowd = 8

// work sends batches of reads and executes them.
func (p *planning) work(batches, calls int) {
	p.Helper()
	for n := range batches {
		list := make([]string, calls)
		for i := range list {
			list[i] = fmt.Sprintf(`b%dc%dx read_file {"file_path":"%d"}`, n, i, i)
		}
		b := p.send(list...)
		for b.Status == casetest.StatusRunning {
			var results []any
			for _, c := range b.Calls {
				if c.State == casetest.StateDispatched {
					results = append(results, object{"position": c.Position, "status": "success", "output": c.ID})
				}
			}
			var err error
			b, err = p.Host.Report(p.Context(), p.sid, b.ID, "", results...)
			require.NoError(p, err)
		}
	}
}

func TestReadersThatComeAtAnyTimeSeeTheSameList(t *testing.T) {
	t.Parallel()
	p := newPlanning(t, startStand(t), free)
	ctx, cancel := context.WithTimeout(t.Context(), e2eTimeout)
	defer cancel()
	seen := make([][]casetest.Event, crowd)
	var readers sync.WaitGroup
	for i := range seen {
		p.work(1, 24) // each comes a batch later than the one before
		readers.Go(func() {
			feed, err := p.Host.Follow(ctx, p.sid, casetest.Chain{})
			if err != nil {
				return
			}
			defer feed.Close()
			seen[i], _ = feed.Until(ctx, func(e casetest.Event) bool { return e.Type == "session.closed" }) // compared below
		})
	}
	p.work(2, 100)
	require.NoError(t, p.Host.CloseSession(t.Context(), p.sid))
	readers.Wait()
	for _, events := range seen {
		p.sameAsLog(t, p.sid, events)
	}
}

func TestACursorOfAnotherHistoryIsReset(t *testing.T) {
	t.Parallel()
	p := newPlanning(t, startStand(t), free)
	p.work(1, 2)
	session, err := p.Host.Session(t.Context(), p.sid)
	require.NoError(t, err)
	for name, behind := range map[string]casetest.Chain{
		"another hash": {Seq: 2, Hash: [32]byte{1, 2, 3, 4}},
		"ahead":        {Seq: 9999, Hash: [32]byte{1, 2, 3, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			events := until(t, p.follow(t, p.sid, behind), casetest.TypeSnapshot)
			require.Equal(t, casetest.TypeReset, events[0].Type)
			require.Empty(t, events[0].ID)
			require.Equal(t, session.LastEventID, events[1].ID, "the snapshot says up to where it is")
		})
	}
	for _, cursor := range []string{"x", "1", "-1-00000000", "1-zzzzzzzz", "01-00000000"} {
		call := casetest.Call{Method: http.MethodGet, Path: "/v1/sessions/" + p.sid + "/events", Header: map[string]string{"Last-Event-ID": cursor}}
		refused(t, p.Host.Send(t.Context(), call, nil), http.StatusBadRequest, "invalid_cursor")
	}
}

func TestAClosedSessionsStreamSaysSoAndEnds(t *testing.T) {
	t.Parallel()
	p := newPlanning(t, startStand(t), free)
	live := p.follow(t, p.sid, casetest.Chain{})
	p.work(1, 1)
	require.NoError(t, p.Host.CloseSession(t.Context(), p.sid))
	until(t, live, "session.closed")
	_, err := live.Next(t.Context())
	require.ErrorIs(t, err, io.EOF, "the gateway ends the stream")

	late := p.follow(t, p.sid, casetest.Chain{})
	until(t, late, "session.closed")
	require.NoError(t, casetest.SameEvents(live.Events(), late.Events()))

	_, err = p.Host.Follow(t.Context(), p.sid[:len(p.sid)-4]+"ZZZZ", casetest.Chain{})
	refused(t, err, http.StatusNotFound, "not_found")
}

// The reader refuses every frame that is not exactly one of the contract.
func TestTextsCannotForgeAFrame(t *testing.T) {
	t.Parallel()
	p := newPlanning(t, startStand(t), free)
	feed := p.follow(t, p.sid, casetest.Chain{})
	for i, text := range []string{
		"a\r\nb", "a\n\ndata: {}\n\n", "a\r\rid: 9-00000000\r\r", "a\x00b", "\u2028\u2029\u0085", "event: session.closed\n\n", ": comment", "\ufeffid: 1",
	} {
		argument, err := json.Marshal(object{"file_path": "x", "text": text})
		require.NoError(t, err)
		b := p.send(fmt.Sprintf("forge%dx mystery %s", i, argument))
		batch, events, err := (&casetest.Crew{Players: p.Players, Feed: feed, Execute: func(casetest.Dispatched) map[string]any {
			return object{"status": "success", "output": text}
		}}).Finish(t.Context(), b)
		require.NoError(t, err)
		require.NoError(t, casetest.CheckResults(batch, events))
		require.Equal(t, text, batch.Calls[0].Result.Output)
	}
}
