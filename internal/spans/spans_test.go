package spans

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpansOfABatchHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[ID]bool{{}: true}
	for _, id := range []ID{
		Batch("bat_1"), Batch("bat_2"), Call("bat_1", 0), Call("bat_1", 1), Call("bat_2", 0),
		Execution("bat_1", 0), Execution("bat_1", 1),
	} {
		require.False(t, seen[id])
		seen[id] = true
	}
	require.Equal(t, ID{0x55, 0xf0, 0xac, 0x2f, 0x1e, 0xf5, 0x04, 0x8c}, Call("bat_1", 1), "at every replica and in every version the same")
}

func TestATraceparentOfAnotherSpanKeepsTraceAndFlags(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": "00-0af7651916cd43dd8448eb211c80319c-0102030405060708-01",
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00": "00-0af7651916cd43dd8448eb211c80319c-0102030405060708-00",
		"":     "",
		"00-1": "",
		"01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": "",
		"00-af-b7ad6b7169203331-01":                               "",
	} {
		require.Equal(t, want, Within(in, ID{1, 2, 3, 4, 5, 6, 7, 8}), in)
	}
}
