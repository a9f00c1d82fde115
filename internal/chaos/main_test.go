package chaos

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/session-gateway/gateway/internal/redistest"
)

var (
	long         = flag.Bool("chaos.long", false, "run the long versions of all tests")
	seedFlag     = flag.Uint64("chaos.seed", 0, "repeat the schedule of this seed; 0 makes one up")
	lengthFlag   = flag.Duration("chaos.for", 0, "how long each scenario is struck; 0 is 6s, or 24s in the long version")
	crowdFlag    = flag.Int("chaos.sessions", 0, "sessions in each scenario; 0 is 8, or 200 in the long version")
	gatewayFlags = flag.String("chaos.gateway", "", "more flags for every gateway, parted by blanks")
)

// started is the beginning of time for all records of this run.
var started = time.Now()

// clock is the clients' time in nanoseconds. It never runs backwards.
func clock() int64 { return int64(time.Since(started)) }

var built struct {
	once    sync.Once
	program string
	err     error
}

func TestMain(m *testing.M) {
	zerolog.SetGlobalLevel(zerolog.Disabled) // toxiproxy's
	code := redistest.Main(m).Run()
	if built.program != "" {
		if err := os.RemoveAll(filepath.Dir(built.program)); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

// program is the gateway as it is deployed: built without the race detector,
// once for all tests.
func program(tb testing.TB) string {
	tb.Helper()
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "chaos-") //nolint:usetesting // it outlives the test that asks first
		if err != nil {
			built.err = err
			return
		}
		built.program = filepath.Join(dir, "gateway")
		build := exec.Command("go", "build", "-trimpath", "-o", built.program, "../../cmd/gateway")
		build.Env = append(build.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build the gateway: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		tb.Fatal(built.err)
	}
	return built.program
}

// choose is the short version's value, or the long one's.
func choose[T any](short, extended T) T {
	if *long {
		return extended
	}
	return short
}
