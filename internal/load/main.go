// Command load measures a gateway beside simpler servers, as ratios in one run:
// what an idle stream takes, what a delivery and a resume cost, how a
// transition's cost grows with sessions and replicas. Driver and servers run on
// this machine and talk over loopback; every loop is bounded.
//
// It prints Markdown for docs/performance.md. `make bench-load` runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
)

// options are how much is measured.
type options struct {
	gateway string // the program
	rounds  int
	fanout  int
	events  int
	only    string
}

// scenario measures one thing and gives rows of the table.
type scenario struct {
	name string
	run  func(context.Context, options) ([]row, error)
}

var scenarios = []scenario{
	{"idle", measureIdle},
	{"fanout", measureFanout},
	{"each", measureEach},
	{"latency", measureLatency},
	{"resume", measureResume},
	{"stalled", measureStalled},
	{"batches", measureBatches},
	{"sessions", measureSessions},
	{"replicas", measureReplicas},
	{"neighbour", measureNeighbour},
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	var o options
	flag.StringVar(&o.gateway, "gateway", "bin/gateway", "the program to measure")
	flag.IntVar(&o.rounds, "rounds", 5, "alternating rounds; the median counts")
	flag.IntVar(&o.fanout, "fanout", 1000, "readers of one session")
	flag.IntVar(&o.events, "events", 200, "events of a fan-out round")
	flag.StringVar(&o.only, "only", "", "run these scenarios, comma-separated")
	flag.Parse()
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = crowdOfWorkers // one connection a worker, kept
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	var rows []row
	for _, s := range scenarios {
		if o.only != "" && !strings.Contains(","+o.only+",", ","+s.name+",") {
			continue
		}
		fmt.Fprintf(os.Stderr, "== %s\n", s.name)
		got, err := s.run(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, r := range got {
			fmt.Fprintln(os.Stderr, r)
		}
		rows = append(rows, got...)
	}
	fmt.Print(table(rows)) //nolint:forbidigo // the table is this tool's output
	return nil
}
