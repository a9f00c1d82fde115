package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestEveryKeyOfASessionHasItsBucketsTag(t *testing.T) {
	t.Parallel()
	k := sessionKeys{Bucket: 7, Tenant: "acme", Session: "ses_1"}
	for name, key := range map[string]string{
		"gw:{b0007}:deadlines":            deadlinesKey(7),
		"gw:{b0007}:events":               eventsChannel(7),
		"gw:{b0007}:acme:~:sessions":      sessionsKey(7, "acme"),
		"gw:{b0007}:acme:~:inbox":         inboxKey(7, "acme"),
		"gw:{b0007}:pending":              pendingKey(7),
		"gw:{b0007}:acme:~:approvals":     approvalsKey(7, "acme"),
		"gw:{b0007}:acme:ses_1:doc":       k.doc(),
		"gw:{b0007}:acme:ses_1:mode":      k.mode(),
		"gw:{b0007}:acme:ses_1:open":      k.open(),
		"gw:{b0007}:acme:ses_1:mem:1":     k.memory(3),
		"gw:{b0007}:acme:ses_1:outbox":    k.outbox(),
		"gw:{b0007}:acme:ses_1:lease":     k.lease(),
		"gw:{b0007}:acme:ses_1:ev":        k.events(),
		"gw:{b0007}:acme:ses_1:children":  k.children(),
		"gw:{b0007}:acme:ses_1:outputs":   k.outputs(),
		"gw:{b0007}:acme:ses_1:approvals": k.approvals(),
		"gw:{b0007}:acme:ses_1:b:12":      k.batch(12),
		"gw:{b0007}:acme:ses_1:out:r":     k.output("r"),
		"gw:{b0007}:acme:ses_1:idem:s":    k.idempotency("s"),
		"gw:{b0007}:acme:ses_2:doc":       k.of("ses_2").doc(),
	} {
		require.Equal(t, name, key)
	}
}

func TestAChannelNamesItsBucket(t *testing.T) {
	t.Parallel()
	bucket, err := channelBucket(eventsChannel(1023))
	require.NoError(t, err)
	require.EqualValues(t, 1023, bucket)
	for _, channel := range []string{"", "gw:{b0001}:deadlines", "gw:{bx}:events", "gw:{b99999999}:events"} {
		_, err := channelBucket(channel)
		require.Error(t, err, channel)
	}
}

func TestBucketsOfATenantNeverChange(t *testing.T) {
	t.Parallel()
	for tenant, want := range map[string][TenantBuckets]uint16{
		"dev":  {952, 63, 841, 1008, 860, 272, 190, 474, 2, 828, 376, 413, 599, 399, 284, 645},
		"acme": {89, 708, 700, 285, 271, 241, 733, 629, 296, 607, 6, 409, 240, 54, 461, 734},
	} {
		require.Equal(t, want, BucketsOf(tenant), tenant)
	}
}

func TestBucketsAreSpreadEvenly(t *testing.T) {
	t.Parallel()
	const tenants = 2000
	used := make([]int, Buckets)
	for i := range tenants {
		seen := map[uint16]bool{}
		for _, b := range BucketsOf(fmt.Sprintf("tenant%d", i)) {
			require.False(t, seen[b], "all different")
			seen[b] = true
			used[b]++
		}
	}
	mean := tenants * TenantBuckets / Buckets
	for b, n := range used {
		require.InDelta(t, mean, n, float64(mean), "bucket %d", b)
	}
}

func FuzzDecodeNotice(f *testing.F) {
	c := &Commit{Topic: stream.Topic{Tenant: "t", Session: "s"}}
	c.Events = stream.Seal(stream.ID{}, "s", c.Now, []stream.Draft{{Type: "a", Data: []byte("{}")}, {Type: "b", Data: []byte(`" "`)}})
	f.Add(string(encodeNotice(c)))
	c.Events = nil
	f.Add(string(encodeNotice(c)))
	f.Add("t s 1 x y 1\n")
	f.Add("t s 0 " + strings.Repeat("0", 64) + " " + strings.Repeat("0", 64) + " 1\na b c")
	f.Fuzz(func(t *testing.T, message string) {
		n, err := decodeNotice(3, message)
		if err != nil || n.Events == nil {
			return
		}
		last := n.Events[len(n.Events)-1]
		require.Equal(t, n.Head, last.ID(), "events lead to the head")
		for i := 1; i < len(n.Events); i++ {
			require.Equal(t, n.Events[i-1].Seq+1, n.Events[i].Seq)
			require.Equal(t, n.Events[i-1].Hash, n.Events[i].Prev)
		}
	})
}

func FuzzDecodePosition(f *testing.F) {
	f.Add(encodePosition(Item{ID: "ses_1"}))
	f.Add("!")
	f.Fuzz(func(t *testing.T, s string) {
		if item, err := decodePosition(s); err != nil {
			require.ErrorIs(t, err, ErrPosition)
		} else if item != nil {
			again, err := decodePosition(encodePosition(*item))
			require.NoError(t, err)
			require.Equal(t, item, again)
		}
	})
}

func TestAStoredAnswerOrIDThatIsBrokenIsToldAsSuch(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a\nb", "id\nhash\nnot a number\n"} {
		_, err := decodeIdempotency("s", s)
		require.Error(t, err)
	}
	for _, s := range []string{"short", strings.Repeat("h", 32), strings.Repeat("h", 32) + "x"} {
		_, err := decodeID(s)
		require.Error(t, err)
	}
}
