package chaos

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAScheduleLeavesWhatItStruckAloneAndHasEveryKind(t *testing.T) {
	t.Parallel()
	faults := []fault{
		{kind: "failover", target: "Redis", targets: 1, lasts: breath, respite: afterFailover},
		{kind: "restart", target: "gateway", targets: replicas, lasts: blink, respite: afterDrain},
		{kind: "freeze", target: "gateway", targets: replicas, lasts: faint, respite: afterStart},
		{kind: "cut", target: "wire", targets: replicas, lasts: breath},
	}
	for seed := range uint64(100) {
		kinds := map[string]bool{}
		alone := map[string]time.Duration{}
		blows := schedule(chanceFor(seed), faults, longLength)
		for _, b := range blows {
			kinds[b.kind] = true
			require.GreaterOrEqual(t, b.at, alone[b.victim()], b.String())
			require.Less(t, b.at, longLength)
			alone[b.victim()] = b.at + b.lasting + b.respite - time.Millisecond // rounded
			require.False(t, b.slow() && b.at > longLength*3/4+time.Millisecond, b.String())
		}
		require.Len(t, kinds, len(faults))
		again := schedule(chanceFor(seed), faults, longLength)
		require.Equal(t, script(blows), script(again))
	}
}
