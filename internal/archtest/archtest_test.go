package archtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checks are the rules by what they promise. Each comes with files that break
// it, path and source, for a check that finds nothing anywhere proves nothing.
var checks = []struct {
	promise  string
	find     func([]file) []string
	breaking map[string]string
}{
	{"imports point inward and every package has its place", checkArrows, map[string]string{
		"permissions/x.go":       `package permissions; import _ "` + module + `/scheduler"`,
		"sessions/store/x.go":    `package store; import _ "` + module + `/scheduler"`,
		"tenants/x.go":           `package tenants; import _ "` + module + `"`,
		"internal/newcomer/x.go": `package newcomer`,
	}},
	{"test machinery stays in tests", checkTestOnly, map[string]string{
		"cmd/gateway/x.go": `package main; import _ "` + module + `/internal/redistest"`,
	}},
	{"the core has no clock, chance or world", checkPurity, map[string]string{
		"scheduler/x.go": `package scheduler; import "time"; var t = time.Now()`,
		"providers/x.go": `package providers; import _ "math/rand/v2"`,
		"planmode/x.go":  `package planmode; import _ "os"`,
	}},
	{"the environment is read in one place", checkEnvironment, map[string]string{
		"api/x.go": `package api; import "os"; var v = os.Getenv("V")`,
	}},
	{"nothing sleeps", checkSleeps, map[string]string{
		"api/x_test.go": `package api; import "time"; func init() { time.Sleep(1) }`,
		"api/x.go":      `package api; import ("time"; _ "testing/synctest"); func init() { time.Sleep(1) }`,
	}},
	{"folders are named for what they hold", checkNames, map[string]string{
		"internal/util/x.go": `package util`,
	}},
	{"every package says what it is", checkDocs, map[string]string{
		"stream/x.go": `package stream`,
		"api/x.go":    "// Well.\npackage api",
	}},
}

func TestTheProjectKeepsItsShape(t *testing.T) {
	t.Parallel()
	files := project(t)
	for _, c := range checks {
		t.Run(c.promise, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, strings.Join(c.find(files), "\n"))
		})
	}
}

func TestEveryCheckFindsWhatItForbids(t *testing.T) {
	t.Parallel()
	for _, c := range checks {
		for path, src := range c.breaking {
			require.Len(t, c.find([]file{parse(t, path, src)}), 1, "%s: %s", c.promise, path)
		}
	}
}

func TestEveryArrowHasAReasonAndPointsDown(t *testing.T) {
	t.Parallel()
	place := make(map[string]int)
	for i, a := range arrows {
		require.NotEmpty(t, a.why, a.from)
		require.NotContains(t, place, a.from)
		place[a.from] = i
	}
	for i, a := range arrows {
		for _, to := range a.to {
			if to != anything {
				require.Greater(t, place[to], i, "%s → %s", a.from, to)
			}
		}
	}
}
