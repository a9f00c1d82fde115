package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "http://h", "redis://h:1/notadb", "redis://h:1?addr=nonsense",
		"redis://h:1?master_name=m&nonsense=1", "redis://[::1", "redis://h:1?nonsense=1",
	} {
		_, err := Open(t.Context(), Config{URL: url})
		require.ErrorIs(t, err, ErrInvalid, url)
	}
}

func TestAServerThatIsNotThereIsAnOutage(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"", "&addr=127.0.0.1:2", "&master_name=m"} {
		_, err := Open(t.Context(), Config{URL: "redis://127.0.0.1:1?max_retries=-1" + more})
		require.ErrorIs(t, err, ErrUnavailable, more)
	}
}

func TestAConfigurationIsPrintedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	require.Equal(t, "rediss://user:xxxxx@h:1/2", Config{URL: "rediss://user:secret@h:1/2"}.String())
	require.NotContains(t, Config{URL: "redis://user:secret@[::1"}.String(), "secret")
}

func TestTheEmbeddedServerWantsItsPassword(t *testing.T) {
	t.Parallel()
	e, err := newEmbedded(0)
	require.NoError(t, err)
	s, err := openEmbedded(t.Context(), Config{URL: Embedded}, e)
	closed(t, s, err)
	require.True(t, s.Volatile())
	_, err = Open(t.Context(), Config{URL: "redis://" + e.server.Addr() + "?max_retries=-1"})
	require.ErrorContains(t, err, "NOAUTH")
}

func TestTheEmbeddedServerIsCapped(t *testing.T) {
	t.Parallel()
	e, err := newEmbedded(1)
	require.NoError(t, err)
	s, err := openEmbedded(t.Context(), Config{URL: Embedded}, e)
	closed(t, s, err)
	running(t, s, newSink())
	eventually(t, func() bool { return s.Admit(t.Context()) != nil }, "once garbage was collected")
	require.ErrorIs(t, s.Admit(t.Context()), ErrFull)
}

func TestAnswersOfTheEmbeddedServerExpire(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{URL: Embedded})
	closed(t, s, err)
	running(t, s, newSink())
	topic := newTopic()
	head := create(t, s, topic)
	require.NoError(t, s.Commit(t.Context(), answered(s, topic, head, Idempotency{Scope: "s", TTL: 10 * time.Millisecond})))
	eventually(t, func() bool {
		_, err := s.Idempotent(t.Context(), topic, "s")
		return err != nil
	}, "its time passes")
}
