package stream_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

var fixedTime = time.Date(2025, 1, 2, 3, 4, 5, 678_000_000, time.UTC)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
