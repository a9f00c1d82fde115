package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/sessions"
)

func TestACursorBelongsToItsList(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	one, two := a.create(nil).ID, a.create(nil).ID
	for _, sid := range []string{one, two} {
		a.cancel(a.prompt(sid))
		a.cancel(a.prompt(sid))
		a.send(sid, call("1", "nothing", `{}`))
		a.send(sid, writes(2)...)
	}
	lists := map[string]func(cursor string) (next *string, err error){
		"sessions": func(cursor string) (*string, error) {
			page, err := a.List(t.Context(), a.caller, sessions.SessionFilter{Limit: 1, Cursor: cursor})
			return page.NextCursor, err
		},
		"approvals": func(cursor string) (*string, error) {
			page, err := a.Approvals(t.Context(), a.caller, sessions.ApprovalFilter{Limit: 1, Cursor: cursor})
			return page.NextCursor, err
		},
	}
	for name, sid := range map[string]string{"one": one, "another": two} {
		lists["batches of "+name+" session"] = func(cursor string) (*string, error) {
			page, err := a.Batches(t.Context(), a.caller, sid, 1, cursor)
			return page.NextCursor, err
		}
		lists["turns of "+name+" session"] = func(cursor string) (*string, error) {
			page, err := a.Turns(t.Context(), a.caller, sid, 1, cursor)
			return page.NextCursor, err
		}
	}
	for from, list := range lists {
		cursor, err := list("")
		require.NoError(t, err, from)
		require.NotNil(t, cursor, from)
		for to, list := range lists {
			_, err := list(*cursor)
			if to == from {
				require.NoError(t, err, from)
				continue
			}
			require.Error(t, err, "%s takes a cursor of %s", to, from)
			refused(t, err, sessions.CodeBadCursor)
		}
	}
}

func TestWhatIsNoCursorIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"x", "1", "%", "c2Vzc2lvbnM", *sessions.CursorOf("approvals", "1"), *sessions.CursorOf("sessions", "1") + "="} {
		_, err := sessions.PositionOf("sessions", text)
		refused(t, err, sessions.CodeBadCursor)
	}
	position, err := sessions.PositionOf("sessions", *sessions.CursorOf("sessions", "two words"))
	require.NoError(t, err)
	require.Equal(t, "two words", position)
	require.Nil(t, sessions.CursorOf("sessions", ""))
}
