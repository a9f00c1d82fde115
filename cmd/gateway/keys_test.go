package main

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// shared are the keys that belong to no tenant, by what follows their tag; nil
// where nothing of anybody is in them.
var shared = map[string]func(context.Context, *redis.Client, string) ([]string, error){
	"deadlines": sorted,
	"pending":   sorted,
	"~:index":   fieldsOf,
	"~:version": nil,
	"confirm":   nil,
}

func sorted(ctx context.Context, c *redis.Client, key string) ([]string, error) {
	return c.ZRange(ctx, key, 0, -1).Result()
}

func fieldsOf(ctx context.Context, c *redis.Client, key string) ([]string, error) {
	return c.HKeys(ctx, key).Result()
}

// everyKeyNamesItsTenant wants each key of a Redis, or each member of one that
// tenants share, to begin with the tenant that it belongs to.
func everyKeyNamesItsTenant(t *testing.T, c *redis.Client, tenants ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	seen := map[string]bool{}
	scan := c.Scan(ctx, 0, "*", 1000).Iterator()
	for scan.Next(ctx) {
		_, own, tagged := strings.Cut(scan.Val(), "}:")
		require.True(t, tagged && strings.HasPrefix(scan.Val(), "gw:{"), "the key %s", scan.Val())
		members, common := shared[own]
		if !common {
			seen[ownerOf(t, tenants, own, scan.Val())] = true
			continue
		}
		if members == nil {
			continue
		}
		list, err := members(ctx, c, scan.Val())
		require.NoError(t, err)
		for _, m := range list {
			ownerOf(t, tenants, m, scan.Val())
		}
	}
	require.NoError(t, scan.Err())
	for _, tenant := range tenants {
		require.True(t, seen[tenant], "there is nothing of %s to look at", tenant)
	}
}

func ownerOf(t *testing.T, tenants []string, name, where string) string {
	t.Helper()
	owner, _, _ := strings.Cut(name, ":")
	require.Contains(t, tenants, owner, "%q in %s", name, where)
	return owner
}

// neighbours lets the other tenant do what leaves traces, and both what belongs
// to no session.
func (s *stand) neighbours(t *testing.T) {
	t.Helper()
	made, err := s.foreign.CreateSession(t.Context(), object{"tools": casetest.StandardTools()})
	require.NoError(t, err)
	_, err = s.foreign.Submit(t.Context(), made.ID, object{"calls": []object{
		{"id": "w", "name": "write_file", "arguments": object{"file_path": "a", "content": "x"}},
	}})
	require.NoError(t, err)
	for _, c := range []*casetest.Client{s.foreign, s.admin} {
		for _, path := range []string{"/v1/stream-tickets", "/v1/console/session"} {
			a, err := c.Do(t.Context(), casetest.Call{Method: http.MethodPost, Path: path})
			require.NoError(t, err)
			require.Less(t, a.Status, http.StatusMultipleChoices, "%s: %s", path, a.Body)
		}
	}
	mine := "/v1/admin/tenants/globex/keys"
	a, err := s.foreign.Do(t.Context(), casetest.Call{
		Method: http.MethodPost, Path: mine, Body: object{"id": "another", "subject": "ann", "roles": []string{"viewer"}},
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, a.Status, "%s", a.Body)
}
