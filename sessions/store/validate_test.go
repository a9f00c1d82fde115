package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestACommitThatContradictsItselfIsNotSent(t *testing.T) {
	t.Parallel()
	mode, empty := "m", ""
	head := stream.ID{Seq: 1, Hash: stream.Hash{1}}
	event := stream.Seal(head, "s", time.Unix(0, 0), []stream.Draft{{Type: "x", Data: []byte("1")}})
	valid := func() Commit { return Commit{ID: "c", Expect: head, Events: event} }
	for name, spoil := range map[string]func(*Commit){
		"no id":                          func(c *Commit) { c.ID = "" },
		"an id of two lines":             func(c *Commit) { c.ID = "a\nb" },
		"a new session with a head":      func(c *Commit) { c.Create, c.Mode = true, &mode },
		"no head":                        func(c *Commit) { c.Expect = stream.ID{} },
		"a new session without a mode":   func(c *Commit) { c.Create, c.Expect = true, stream.ID{} },
		"a new session with no mode":     func(c *Commit) { c.Create, c.Expect, c.Mode = true, stream.ID{}, &empty },
		"too many ancestors":             func(c *Commit) { c.Ancestors = make([]Expect, maxAncestors+1) },
		"a field of the store":           func(c *Commit) { c.Doc.Set = Fields{"@head": "x"} },
		"the schema":                     func(c *Commit) { c.Doc.Set = Fields{"schema": "x"} },
		"removing the head":              func(c *Commit) { c.Doc.Del = []string{"@head"} },
		"setting what it removes":        func(c *Commit) { c.Doc = Patch{Set: Fields{"a": "1"}, Del: []string{"a"}} },
		"no event":                       func(c *Commit) { c.Events = nil },
		"a change without an event":      func(c *Commit) { c.Events, c.Idempotency, c.Mode = nil, &Idempotency{}, &mode },
		"events sealed behind something": func(c *Commit) { c.Expect.Hash[1] = 9 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := valid()
			require.NoError(t, c.validate())
			spoil(&c)
			require.ErrorIs(t, c.validate(), ErrInvalid)
		})
	}
}
