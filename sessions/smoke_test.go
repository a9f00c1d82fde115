package sessions

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

type noFeed struct{}

func (noFeed) Watch(uint16)   {}
func (noFeed) Unwatch(uint16) {}

var _ stream.Feed = noFeed{}

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	st, err := store.Open(ctx, store.Config{URL: store.Embedded})
	require.NoError(t, err)
	defer st.Close()
	s, err := New(Config{Store: st, Feed: noFeed{}})
	require.NoError(t, err)
	c := tenants.Caller{Tenant: "dev", KeyID: "k", Subject: "ann", Roles: []tenants.Role{tenants.RoleAdmin}}
	kind := permissions.KindEdit
	rd := permissions.KindRead
	r, err := s.Create(ctx, c, Idempotency{}, Spec{Tools: []ToolSpec{{Name: "write_file", Kind: &kind}, {Name: "read_file", Kind: &rd}}, Rules: &permissions.Rules{Allow: []string{"*"}}})
	require.NoError(t, err)
	t.Log(encode(r.Value))
	b, err := s.Submit(ctx, c, Idempotency{}, r.Value.ID, Submission{Format: "native", Calls: []scheduler.Input{
		{ID: "w1", Name: "write_file", Arguments: `{"file_path":"a"}`}, {ID: "e1", Name: "enter_plan_mode", Arguments: "{}"},
	}})
	require.NoError(t, err)
	t.Log(encode(b.Value))
	b, err = s.Submit(ctx, c, Idempotency{}, r.Value.ID, Submission{Format: "native", Calls: []scheduler.Input{
		{ID: "x1", Name: "read_file", Arguments: `{"file_path":"a"}`}, {ID: "e1", Name: "exit_plan_mode", Arguments: `{"plan":"p"}`},
	}})
	require.NoError(t, err)
	t.Log(encode(b.Value))
	ap, err := s.Approvals(ctx, c, ApprovalFilter{Status: "pending"})
	require.NoError(t, err)
	require.Len(t, ap.Data, 1)
	a, err := s.Respond(ctx, c, Idempotency{Key: "k"}, ap.Data[0].ID, Response{OptionID: "default"})
	require.NoError(t, err)
	t.Log(encode(a.Value))
	a, err = s.Respond(ctx, c, Idempotency{Key: "k"}, ap.Data[0].ID, Response{OptionID: "default"})
	require.NoError(t, err)
	require.True(t, a.Replayed)
	cl, err := s.Claim(ctx, c, Idempotency{}, r.Value.ID, b.Value.ID, ClaimRequest{HostID: "h", Positions: []int{0}})
	require.NoError(t, err)
	t.Log(encode(cl.Value))
	h := "h"
	p := 0
	b, err = s.Report(ctx, c, Idempotency{}, r.Value.ID, b.Value.ID, Report{HostID: &h, Results: []HostResult{{Position: &p, Status: "success", Output: "hi"}}})
	require.NoError(t, err)
	t.Log(encode(b.Value))
	topic, err := s.Topic(ctx, c, r.Value.ID)
	require.NoError(t, err)
	evs, err := st.Read(ctx, topic, 0, 1<<20)
	require.NoError(t, err)
	for _, e := range evs {
		t.Log(string(e.JSON)[:min(300, len(e.JSON))])
	}
	require.NoError(t, s.Close(ctx, c, r.Value.ID))
}
