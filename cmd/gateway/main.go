// Command gateway is the session gateway: it serves the HTTP API that hosts
// and frontends speak.
//
// This package is wiring and subcommands, nothing else. It alone reads the
// environment and the command line ([Config]); it starts the parts that the
// other packages are ([App]) and stops them in order. Tests start the same
// App that main does, on port 0.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9/logging"
	// The image has no certificates of authorities but these; a system's own come first.
	_ "golang.org/x/crypto/x509roots/fallback"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal drains; from then on a second one ends the process at once.
	context.AfterFunc(ctx, stop)

	logging.Disable() // the Redis client's; `serve` has it written to the log

	parser := kong.Must(&commandLine{}, options()...)
	line, err := parser.Parse(os.Args[1:])
	if err != nil {
		parser.FatalIfErrorf(&exitError{err, exitUsage})
	}
	line.BindTo(ctx, (*context.Context)(nil))
	line.FatalIfErrorf(line.Run())
}
