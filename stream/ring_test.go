package stream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// chain is n frames of one history behind head.
func chain(t require.TestingT, head ID, n int, text string) []*frame {
	drafts := make([]Draft, n)
	for i := range drafts {
		drafts[i] = Draft{Type: "call.result", Data: []byte(`"` + text + `"`)}
	}
	frames, err := encodeAll(Topic{Session: "ses_1"}, Seal(head, "ses_1", time.Unix(0, 0), drafts))
	require.NoError(t, err)
	return frames
}

func TestARingTakesOnlyWhatFollowsItsHead(t *testing.T) {
	t.Parallel()
	mine := chain(t, ID{}, 6, "mine")
	theirs := chain(t, ID{}, 6, "theirs")
	var r ring
	require.Equal(t, gap, r.judge(mine[0].id, mine[0].prev), "an unset ring knows nothing")
	r.start(mine[1].id, false)
	for _, f := range mine[2:4] {
		require.Equal(t, follows, r.judge(f.id, f.prev))
		r.push(f)
	}
	for name, c := range map[string]struct {
		f    *frame
		want verdict
	}{
		"what follows":                     {mine[4], follows},
		"what follows another history":     {theirs[4], diverged},
		"one too far":                      {mine[5], gap},
		"the head again":                   {mine[3], known},
		"a held one again":                 {mine[2], known},
		"the base again":                   {mine[1], known},
		"the head of another history":      {theirs[3], diverged},
		"a held one of another history":    {theirs[2], diverged},
		"the base of another history":      {theirs[1], diverged},
		"one from before the ring":         {mine[0], older},
		"one from before it, another's":    {theirs[0], older},
		"one too far, of another history ": {theirs[5], gap},
	} {
		require.Equal(t, c.want, r.judge(c.f.id, c.f.prev), name)
	}
}

func TestARingSaysWhereAReaderStands(t *testing.T) {
	t.Parallel()
	mine, theirs := chain(t, ID{}, 5, "mine"), chain(t, ID{}, 5, "theirs")
	var r ring
	require.Equal(t, nowhere, r.where(mine[0].id))
	r.start(mine[0].id, false)
	for _, f := range mine[1:4] {
		r.push(f)
	}
	require.Equal(t, below, r.where(ID{}))
	require.Equal(t, within, r.where(mine[0].id))
	require.Equal(t, within, r.where(mine[2].id))
	require.Equal(t, atHead, r.where(mine[3].id))
	require.Equal(t, above, r.where(mine[4].id))
	require.Equal(t, elsewhere, r.where(theirs[2].id))
}

func TestARingTakesBeforeItWhatLeadsToIt(t *testing.T) {
	t.Parallel()
	mine, theirs := chain(t, ID{}, 6, "mine"), chain(t, ID{}, 6, "theirs")
	fits := 3 * mine[0].size()
	for name, c := range map[string]struct {
		page  []*frame
		limit int
		base  ID
	}{
		"all of a page":              {mine[:4], 10 * fits, ID{}},
		"what does not overlap":      {mine[1:6], 10 * fits, mine[0].id},
		"the newest that fit":        {mine[:4], fits, mine[2].id},
		"nothing of another history": {theirs[:4], 10 * fits, mine[3].id},
		"nothing that ends before":   {mine[:3], 10 * fits, mine[3].id},
		"nothing that begins behind": {mine[4:], 10 * fits, mine[3].id},
	} {
		var r ring
		r.start(mine[3].id, false)
		r.push(mine[4])
		r.push(mine[5])
		r.prepend(c.page, c.limit)
		require.Equal(t, c.base, r.base, name)
		require.Equal(t, mine[c.base.Seq:], r.frames, name)
		require.Equal(t, len(r.frames)*mine[0].size(), r.bytes, name)
	}
}

func TestARingIsContiguousAndWithinItsBytesWhateverIsPushedAndShrunk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		r.start(ID{}, false)
		var all []*frame
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for _, f := range chain(t, r.head, rapid.IntRange(1, 5).Draw(t, "n"), "x") {
					require.Equal(t, follows, r.judge(f.id, f.prev))
					r.push(f)
					all = append(all, f)
				}
			},
			"shrink": func(t *rapid.T) {
				limit := rapid.IntRange(0, 3000).Draw(t, "limit")
				r.shrink(limit)
				require.LessOrEqual(t, r.bytes, limit)
			},
			"": func(t *rapid.T) {
				require.Equal(t, uint64(len(r.frames)), r.head.Seq-r.base.Seq)
				held := all[len(all)-len(r.frames):]
				require.Equal(t, append([]*frame{}, held...), append([]*frame{}, r.frames...))
				bytes := 0
				for _, f := range r.frames {
					bytes += f.size()
				}
				require.Equal(t, bytes, r.bytes)
			},
		})
	})
}
