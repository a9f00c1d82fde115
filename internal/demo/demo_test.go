package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/gatewaytest"
)

var update = flag.Bool("update", false, "write docs/demo.md anew")

func TestMain(m *testing.M) { os.Exit(gatewaytest.Main(m)) }

// record is where a run is kept for those who read only.
const record = "docs/demo.md"

const heading = "# A plan, approved and carried out\n\n" +
	"What `make demo ARGS=-auto` prints: a gateway, a host with a scripted model on a copy of a small repository\n" +
	"(host/testdata/demo), and a person who rejects one plan, approves the next and answers two questions. Made by\n" +
	"`go test ./internal/demo -update`; the same test fails when it is not current.\n\n```text\n"

func TestTheRecordOfTheDemoIsCurrent(t *testing.T) {
	gateway := gatewaytest.Command(t.Context(), t).Path
	t.Chdir("../..")
	var story strings.Builder
	require.NoError(t, run(t.Context(), gateway, &story, scripted()))
	now := heading + story.String() + "```\n"
	if *update {
		require.NoError(t, os.WriteFile(record, []byte(now), 0o600))
	}
	kept, err := os.ReadFile(record)
	require.NoError(t, err)
	require.Equal(t, string(kept), now)
}

func TestAPersonAnswersOnTheTerminal(t *testing.T) {
	t.Parallel()
	ask := terminal(strings.NewReader("reject\nno\ndefault\n"), &strings.Builder{})
	a, err := ask(0, []string{"default", "reject"})
	require.NoError(t, err)
	require.Equal(t, answer{"reject", "no"}, a)
	a, err = ask(1, nil)
	require.NoError(t, err)
	require.Equal(t, answer{option: "default"}, a)
	_, err = ask(2, nil)
	require.Error(t, err)
}
