package store

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestACommitIsReadBackWhole(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		_, err := s.Load(t.Context(), Ref{Topic: topic})
		require.ErrorIs(t, err, ErrNotFound)

		c := creation(s, topic)
		c.Open.Set = Fields{"state": "\x00binary\xff"}
		c.Memory.Calls = Fields{"call_1": "{}"}
		require.NoError(t, s.Commit(t.Context(), c))

		r := load(t, s, topic)
		require.Equal(t, c.head(), r.Head)
		require.Equal(t, "1:default", r.Mode)
		require.Equal(t, Fields{"hot": `{"status":"active"}`, "schema": "1"}, r.Doc)
		require.Equal(t, c.Open.Set, r.Open)
		some, err := s.Load(t.Context(), Ref{Topic: topic, Fields: []string{"hot", "absent"}})
		require.NoError(t, err)
		r.Doc = Fields{"hot": `{"status":"active"}`, "schema": "1"}
		require.Equal(t, r, some)
		recalled, err := s.Load(t.Context(), Ref{Topic: topic, Recall: []string{"call_1", "call_2"}})
		require.NoError(t, err)
		require.Equal(t, [2]Fields{c.Memory.Calls, {}}, recalled.Memory)
	})
}

func TestACommitRemovesFields(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		c.Doc.Set = Fields{"a": "1", "b": "2"}
		require.NoError(t, s.Commit(t.Context(), c))
		next := change(s, topic, c.head(), 1)
		next.Doc.Del = []string{"a", "never was"}
		require.NoError(t, s.Commit(t.Context(), next))
		r := load(t, s, topic)
		require.NotContains(t, r.Doc, "a")
		require.Equal(t, "2", r.Doc["b"])
	})
}

func TestTheMemoryKeepsTwoGenerations(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		c.Memory = Remember{Calls: Fields{"a": "0"}}
		require.NoError(t, s.Commit(t.Context(), c))
		head := c.head()
		for generation := uint64(1); generation <= 2; generation++ {
			next := change(s, topic, head, 1)
			next.Memory = Remember{Calls: Fields{"b": "1"}, Generation: generation, Begins: true}
			require.NoError(t, s.Commit(t.Context(), next))
			head = next.head()
			r, err := s.Load(t.Context(), Ref{Topic: topic, Recall: []string{"a", "b"}})
			require.NoError(t, err)
			require.Equal(t, generation == 1, r.Memory[0]["a"] == "0", "the generation before the last is forgotten")
			require.Equal(t, "1", r.Memory[generation%2]["b"])
		}
	})
}

func TestACommitIsRefusedWhenWhatItSawHasChanged(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		require.ErrorIs(t, s.Commit(t.Context(), creation(s, topic)), ErrConflict, "it exists")

		diverged := head
		diverged.Hash[31] ^= 1
		require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, diverged, 1)), ErrConflict, "same seq, other history")

		missing := change(s, sibling(topic, "ses_none"), head, 1)
		require.ErrorIs(t, s.Commit(t.Context(), missing), ErrConflict, "it does not exist")

		require.Equal(t, head, load(t, s, topic).Head, "nothing was written")
	})
}

func TestACommitChecksItsAncestorsModes(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, parent := open(), newTopic()
		create(t, s, parent)
		child := creation(s, sibling(parent, "ses_child"))
		child.Parent = parent.Session
		child.Ancestors = []Expect{{Session: parent.Session, Mode: "2:plan"}}
		require.ErrorIs(t, s.Commit(t.Context(), child), ErrConflict)
		child.Ancestors = []Expect{{Session: parent.Session, Mode: "1:default"}, {Session: "ses_gone", Mode: ""}}
		require.NoError(t, s.Commit(t.Context(), child))

		r, err := s.Load(t.Context(), Ref{
			Topic: child.Topic, Ancestors: []string{parent.Session, "ses_gone"}, AncestorFields: []string{"hot", "nothing"},
		})
		require.NoError(t, err)
		require.Equal(t, []Ancestor{
			{Session: parent.Session, Mode: "1:default", Doc: Fields{"hot": `{"status":"active"}`}},
			{Session: "ses_gone", Missing: true, Doc: Fields{}},
		}, r.Ancestors)
		children, err := s.Children(t.Context(), parent)
		require.NoError(t, err)
		require.Equal(t, []string{"ses_child"}, children)
	})
}

func TestACommitRunsOnceHoweverOftenItIsSent(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		first := change(s, topic, head, 2)
		require.NoError(t, s.Commit(t.Context(), first))
		head = first.head()
		for i := range 15 {
			next := change(s, topic, head, 1)
			next.Doc.Set = Fields{"n": strconv.Itoa(i)}
			require.NoError(t, s.Commit(t.Context(), next))
			head = next.head()
			require.NoError(t, s.Commit(t.Context(), first), "run %d later", i+1)
		}
		require.Equal(t, head, load(t, s, topic).Head)
		require.NoError(t, s.Commit(t.Context(), change(s, topic, head, 1)))
		require.ErrorIs(t, s.Commit(t.Context(), first), ErrConflict, "only the last 16 are known")
	})
}

func TestAnAnswerIsStoredWithItsCommit(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		_, err := s.Idempotent(t.Context(), topic, "scope")
		require.ErrorIs(t, err, ErrNotFound)

		answer := &Idempotency{Scope: "scope", BodyHash: "hash", Status: 201, Answer: []byte("{\n}\n\xff"), TTL: time.Hour}
		c := creation(s, topic)
		c.Idempotency = answer
		require.NoError(t, s.Commit(t.Context(), c))
		require.NoError(t, s.Commit(t.Context(), c), "the same commit")

		got, err := s.Idempotent(t.Context(), topic, "scope")
		require.NoError(t, err)
		require.Equal(t, &Idempotency{Scope: "scope", BodyHash: "hash", Status: 201, Answer: answer.Answer}, got)

		other := change(s, topic, c.head(), 1)
		other.Idempotency = answer
		require.ErrorIs(t, s.Commit(t.Context(), other), ErrIdempotent)
		other.Expect.Hash[0] ^= 1
		other.Events = stream.Seal(other.Expect, topic.Session, other.Now, []stream.Draft{{Type: "x", Data: []byte("1")}})
		require.ErrorIs(t, s.Commit(t.Context(), other), ErrIdempotent, "also for who lost the race")
	})
}

func TestAnAnswerThatChangedNothingIsStoredAlone(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		answer := Idempotency{Scope: "alone", BodyHash: "h", Status: 200, TTL: time.Hour}
		alone := answered(s, topic, head, answer)
		require.NoError(t, s.Commit(t.Context(), alone))
		require.NoError(t, s.Commit(t.Context(), alone), "again")
		require.ErrorIs(t, s.Commit(t.Context(), answered(s, topic, head, answer)), ErrIdempotent)
		require.Equal(t, head, load(t, s, topic).Head)

		late := answered(s, topic, head, Idempotency{Scope: "late", TTL: time.Hour})
		require.NoError(t, s.Commit(t.Context(), change(s, topic, head, 1)))
		require.ErrorIs(t, s.Commit(t.Context(), late), ErrConflict, "what it was made from has changed")
	})
}

func TestACommitFromAClockThatIsOffIsRefused(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		s.offset.Add(int64(time.Hour))
		require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, head, 1)), ErrClockSkew)
		require.NoError(t, s.Commit(t.Context(), change(s, topic, head, 1)), "the clock was sampled anew")
	})
}

func TestADocumentOfANewerBuildIsNotRewritten(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		doc := sessionKeys(topic).doc()
		require.NoError(t, s.client.HSet(t.Context(), doc, fieldSchema, Schema+1).Err())
		require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, head, 1)), ErrNewerSchema)
		require.NoError(t, s.client.HSet(t.Context(), doc, fieldSchema, Schema-1).Err())
		require.NoError(t, s.Commit(t.Context(), change(s, topic, head, 1)))
		require.Equal(t, strconv.Itoa(Schema), load(t, s, topic).Doc[fieldSchema])
	})
}

func TestAnEndedBatchMovesToItsNumber(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		c.Open.Set = Fields{"call:0": "in", "drop": "x"}
		require.NoError(t, s.Commit(t.Context(), c))

		end := change(s, topic, c.head(), 1)
		end.Open = Patch{Set: Fields{"result:0": "out"}, Del: []string{"drop"}}
		end.Archive, end.Outputs = 1, map[string][]byte{"out_1": []byte("long\x00text")}
		require.NoError(t, s.Commit(t.Context(), end))
		require.Empty(t, load(t, s, topic).Open)
		batch, err := s.Batch(t.Context(), topic, 1)
		require.NoError(t, err)
		require.Equal(t, Fields{"call:0": "in", "result:0": "out"}, batch)
		text, err := s.Output(t.Context(), topic, "out_1")
		require.NoError(t, err)
		require.Equal(t, "long\x00text", string(text))

		late := change(s, topic, end.head(), 1)
		late.Batches = map[uint64]Patch{1: {Set: Fields{"late:0": "y"}}}
		late.Archive = 2 // nothing is open
		require.NoError(t, s.Commit(t.Context(), late))
		got, err := s.Gather(t.Context(), []Pick{{Topic: topic, Batch: 1, Names: []string{"late:0", "none"}}, {Topic: topic}})
		require.NoError(t, err)
		require.Equal(t, []Fields{{"late:0": "y"}, {}}, got)
		_, err = s.Batch(t.Context(), topic, 2)
		require.ErrorIs(t, err, ErrNotFound)
		_, err = s.Output(t.Context(), topic, "out_2")
		require.ErrorIs(t, err, ErrNotFound)
	})
}

func TestALargeCommitIsWrittenInParts(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		for i := range 3 * maxOpArgs {
			name := strconv.Itoa(i)
			c.Doc.Set["d"+name] = name
			if c.Open.Set == nil {
				c.Open.Set = Fields{}
			}
			c.Open.Set[name] = name
		}
		c.Events = stream.Seal(stream.ID{}, topic.Session, c.Now, make300Drafts())
		require.NoError(t, s.Commit(t.Context(), c))
		r := load(t, s, topic)
		require.Len(t, r.Open, 3*maxOpArgs)
		require.Len(t, r.Doc, 3*maxOpArgs+2)
		require.EqualValues(t, 300, r.Head.Seq)
	})
}

func make300Drafts() []stream.Draft {
	drafts := make([]stream.Draft, 300)
	for i := range drafts {
		drafts[i] = stream.Draft{Type: "call.result", BatchID: "b", Data: []byte(`"` + strings.Repeat("x", 1000) + `"`)}
	}
	return drafts
}

func TestACommitDropsAnArchivedBatch(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		c.Open.Set, c.Archive = Fields{"state": "ended"}, 1
		require.NoError(t, s.Commit(t.Context(), c))
		_, err := s.Batch(t.Context(), topic, 1)
		require.NoError(t, err)
		next := change(s, topic, c.head(), 1)
		next.Drop = 1
		require.NoError(t, s.Commit(t.Context(), next))
		_, err = s.Batch(t.Context(), topic, 1)
		require.ErrorIs(t, err, ErrNotFound)
	})
}
