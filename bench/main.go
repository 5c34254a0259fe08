// Command bench answers the questions that an operator asks before choosing machines. It compares
// petsupply with its peers on this machine, in one run: nginx, PostgreSQL's pgbench, sharp, and
// loops that only send the calls that nodes are asked.
//
//	make bench                    runs everything
//	make bench NAME=hot-figure    runs the rows whose names begin so
//
// The sides of a comparison take turns, so that noise affects both alike. The result is the median
// of the rounds' ratios. While a server is measured, a witness checks that its answers are right.
// The results go to docs/BENCHMARKS.md and bench/results.json.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// A benchmark measures one row.
type benchmark struct {
	name string
	run  func(context.Context, *harness) (row, error)
}

// benchmarks are in the order of the document.
var benchmarks = []benchmark{
	{"hot-figure", hot("hot figure", 1.1, request{path: figurePath})},
	{"document-gzip", hot("hot token document, gzip", 1.1, request{path: documentPath, header: acceptGzip})},
	{"304", hot("304 for a token document", 1, request{path: documentPath, status: http.StatusNotModified})},
	{"hot-metadata", hotMetadata},
	{"cold-metadata", coldMetadata},
	{"hot-picture", hotPictures},
	{"cold-picture", coldPictures},
	{"tls-kept", secure("figure over TLS, open connections", 1.5, (*harness).wrkCost)},
	{"plain-once", hot("figure, new connection each time", 0.55, request{path: figurePath, header: closing})},
	{"tls-once", secure("figure over TLS, new connection each time", 1.3, (*harness).handshakeCost)},
	{"http2", secure("figure over HTTP/2", 0.27, (*harness).h2loadCost)},
	{"refresh", refresh},
	{"first-reading", firstReading},
	{"look-up", lookUp},
	{"history", history},
	{"disturbed", disturbed},
	{"start", start},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("name", "", "measure only the rows whose name begins with this")
	quick := flags.Bool("quick", false, "run every part briefly, to see that it works; write no results")
	abuse := flags.String("abuse", "", "only misbehave towards the service at this address; disturbed runs this")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	work := func() error { return bench(ctx, *name, *quick, stdout) }
	if *abuse != "" {
		work = func() error { return misbehave(ctx, *abuse, *quick, stdout) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// bench runs the chosen benchmarks, and writes the results after each.
func bench(ctx context.Context, name string, quick bool, out io.Writer) error {
	h, err := newHarness(ctx, quick, out)
	if err != nil {
		return err
	}
	defer h.close()
	began := time.Now()
	done := 0
	for _, b := range benchmarks {
		if !strings.HasPrefix(b.name, name) {
			continue
		}
		done++
		h.say("%s", b.name)
		r, err := b.run(ctx, h)
		if err != nil {
			return fmt.Errorf("measuring %s: %w", b.name, err)
		}
		r.Benchmark = b.name
		r.Commit = h.commit
		r.Machine = h.machine
		h.say("  %s", r)
		if quick {
			continue
		}
		if err := h.write(r); err != nil {
			return err
		}
	}
	if done == 0 {
		return fmt.Errorf("no row's name begins with %q", name)
	}
	h.say("%d rows in %s", done, time.Since(began).Round(time.Second))
	return nil
}
