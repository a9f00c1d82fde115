package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

func TestTwoReplicasServeOneSession(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + redistest.Start(t).URL()
	a, b := startStand(t, redis), startStand(t, redis)
	p := newPlanning(t, a, nil)
	onA, onB := a.follow(t, p.sid, casetest.Chain{}), b.follow(t, p.sid, casetest.Chain{})

	// Submitted on A, approved on B.
	batch := p.send(read, write)
	until(t, onB, "approval.requested")
	_, err := b.Person.Respond(t.Context(), b.pending(t, p.sid).ID, object{"option_id": "allow_once"})
	require.NoError(t, err)

	// Claimed on B, reported on A; claimed on A, reported on B.
	for position, hosts := range []struct{ claims, reports *casetest.Client }{{b.Host, a.Host}, {a.Host, b.Host}} {
		claims, err := hosts.claims.Claim(t.Context(), p.sid, batch.ID, "host-1", position)
		require.NoError(t, err)
		require.True(t, claims[0].Granted)
		_, err = hosts.reports.Report(t.Context(), p.sid, batch.ID, "host-1", object{"position": position, "status": "success", "output": "ok"})
		require.NoError(t, err)
	}

	// A reader that was cut off on A half-way goes on at B.
	onA.Close()
	cut, before := onA.Place(), onA.Events()
	p.set("plan") // on A
	batch = b.submit(t, p.sid, callsOf(t, []string{`e1 enter_plan_mode`, `r2 read_file {"file_path":"b.go"}`}))
	require.Equal(t, "plan_boundary", batch.Calls[1].Result.Reason, "B knows what A did")
	resumed := b.follow(t, p.sid, cut)
	require.NoError(t, a.Host.CloseSession(t.Context(), p.sid))
	until(t, onB, "session.closed")
	until(t, resumed, "session.closed")

	require.NoError(t, casetest.SameEvents(onB.Events(), append(before, resumed.Events()...)))
	a.sameAsLog(t, p.sid, onB.Events())
}

func TestTwoReplicasNeverBothWin(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + redistest.Start(t).URL()
	a, b := startStand(t, redis), startStand(t, redis)
	for range 5 {
		p := newPlanning(t, a, object{"approval_mode": "yolo"})
		batch := p.send(write)
		type claim struct {
			host    string
			granted bool
		}
		got := make(chan claim, 2)
		for host, client := range map[string]*casetest.Client{"host-a": a.Host, "host-b": b.Host} {
			go func() {
				claims, err := client.Claim(t.Context(), p.sid, batch.ID, host, 0)
				got <- claim{host, err == nil && claims[0].Granted}
			}()
		}
		one, other := <-got, <-got
		require.NotEqual(t, one.granted, other.granted, "one of the hosts has it")
	}
}
