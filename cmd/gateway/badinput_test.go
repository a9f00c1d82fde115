package main

import (
	"testing"

	"github.com/session-gateway/gateway/internal/apitest"
)

// TestWhatComesAtTheWrongTimeIsRefused asks the whole program.
func TestWhatComesAtTheWrongTimeIsRefused(t *testing.T) {
	t.Parallel()
	apitest.BadState(t, startStand(t).base, keyOf("boss"))
}
