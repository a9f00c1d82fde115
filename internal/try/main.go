// Command try sends a folder of recorded provider messages through a gateway
// and prints what became of each. It exits with 1 if one of them failed.
//
//	go run ./internal/try DIR
//	go run ./internal/try -url http://127.0.0.1:8080 -key KEY DIR
//
// Without -url it builds the gateway of this module and runs it on the
// embedded store, with a key of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/casetest/recorded"
)

// The exit codes.
const (
	exitFailed = 1 // a record failed
	exitUsage  = 2 // nothing could be tried
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the command; it answers the exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("try", flag.ContinueOnError)
	flags.SetOutput(errOut)
	url := flags.String("url", "", "a gateway that runs already")
	key := flags.String("key", "", "its key, with the roles host and frontend")
	if flags.Parse(args) != nil || flags.NArg() != 1 {
		_, _ = fmt.Fprintln(errOut, "usage: try [-url URL -key KEY] DIR")
		return exitUsage
	}
	failed, err := try(ctx, at{*url, *key}, flags.Arg(0), out)
	switch {
	case err != nil:
		_, _ = fmt.Fprintln(errOut, err)
		return exitUsage
	case failed > 0:
		return exitFailed
	}
	return 0
}

// at is where a gateway is and what opens it.
type at struct{ url, key string }

// try sends all records of a folder and prints the table.
func try(ctx context.Context, a at, dir string, out io.Writer) (failed int, err error) {
	records, err := recorded.Load(os.DirFS(dir))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	if a.url == "" {
		g, err := startGateway(ctx)
		if err != nil {
			return 0, err
		}
		defer func() {
			if stopErr := g.stop(); err == nil {
				err = stopErr
			}
		}()
		a = g.at
	}
	client := casetest.NewClient(a.url, a.key, nil)
	defer client.CloseIdleConnections()
	var outcomes []recorded.Outcome
	for _, r := range records {
		outcomes = append(outcomes, recorded.Try(ctx, casetest.Players{Host: client, Person: client}, r))
	}
	return printTable(out, outcomes)
}

// printTable writes a line per record and the sums; it answers how many failed.
func printTable(out io.Writer, outcomes []recorded.Outcome) (failed int, err error) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "record\tformat\tcalls\texecuted\tcompared\tverdict")
	for _, o := range outcomes {
		verdict := "ok"
		if o.Err != nil {
			verdict = "FAILED: " + o.Err.Error()
			failed++
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\n", o.Name, o.Format, o.Calls, o.Executed, o.Compared, verdict)
	}
	_, _ = fmt.Fprintf(table, "%d records, %d failed\n", len(outcomes), failed)
	return failed, table.Flush() // tells the first error of all writes
}
