package redistest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnotherServerOnThePortIsNotTakenForTheOneThatStarts(t *testing.T) {
	t.Parallel()
	first := Start(t)
	late := &Server{tb: t, bin: binary(t), dir: tempDir(t), port: first.port}
	t.Cleanup(late.remove)
	require.ErrorIs(t, late.start(), errExited)
}
