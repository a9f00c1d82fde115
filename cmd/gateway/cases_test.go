package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// styles are how each case is played. By stream, every request is sent twice.
var styles = []casetest.Style{casetest.ByStream, casetest.ByDocument, casetest.AsSender}

func TestCasesOnTheEmbeddedStore(t *testing.T) {
	t.Parallel()
	playAll(t, startStand(t))
}

func TestCasesOnARealRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := server.Client(t)
	s := startStand(t, "--redis="+server.URL(), "--tenant-limits=requests_per_minute=1000000,open_streams=1000")
	t.Cleanup(func() { everyKeyNamesItsTenant(t, client, "acme", "globex") })
	s.neighbours(t)
	playAll(t, s)
}

// playAll plays every case, each in a session of its own: those of the design
// in every style, the further ones in one style each.
func playAll(t *testing.T, s *stand) {
	t.Helper()
	for _, file := range []string{casetest.Conformance, casetest.Further} {
		cases, err := casetest.Load(file)
		require.NoError(t, err)
		require.NotEmpty(t, cases)
		for i, c := range cases {
			chosen := styles
			if file == casetest.Further {
				chosen = styles[i%len(styles):][:1]
			}
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				for _, style := range chosen {
					s.play(t, c, style)
				}
			})
		}
	}
}

func (s *stand) play(t *testing.T, c casetest.Case, style casetest.Style) {
	t.Helper()
	players := s.Players
	if style == casetest.ByStream {
		players = s.repeating()
	}
	require.NoError(t, casetest.Run(t.Context(), players, c, style), "%s: %s", style, c.Why)
}

// repeating is the players on a line that loses every first answer.
func (s *stand) repeating() casetest.Players {
	host := casetest.NewClient(s.base, keyOf("agent-host"), casetest.Repeating{Next: s.transport})
	return casetest.Players{Host: host, Person: host.As(keyOf("alice"))}
}
