// Command bench compares petsupply with its peers on this machine, in one run. The peers are nginx,
// PostgreSQL's pgbench, sharp, ethers, and loops that only send the calls that nodes are asked.
//
//	make bench                    runs everything except the largest sizes
//	make bench NAME=hot-figure    runs one part
//	make bench NAME=large         runs the largest sizes, which take half an hour
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
	"runtime/pprof"
	"strings"
	"syscall"
	"time"
)

// A benchmark is one measurement.
type benchmark struct {
	name string
	run  func(context.Context, *harness) ([]row, error)
}

// benchmarks are in the order of the document. Those whose names begin with large take longer than
// all others together, and run only by name.
var benchmarks = []benchmark{
	{"hot-figure", hot("hot figure", figurePath, nil, http.StatusOK)},
	{"hot-document", hot("hot token document", documentPath, nil, http.StatusOK)},
	{"hot-document-gzip", hot("hot token document, gzip", documentPath, acceptGzip, http.StatusOK)},
	{"hot-all", hot("hot list of tokens", allPath, nil, http.StatusOK)},
	{"hot-all-gzip", hot("hot list of tokens, gzip", allPath, acceptGzip, http.StatusOK)},
	{"304-figure", hot("304 for a figure", figurePath, nil, http.StatusNotModified)},
	{"304-document", hot("304 for a token document", documentPath, nil, http.StatusNotModified)},
	{"304-document-gzip", hot("304 for a token document, gzip", documentPath, acceptGzip, http.StatusNotModified)},
	{"304-all", hot("304 for the list of tokens", allPath, nil, http.StatusNotModified)},
	{"304-all-gzip", hot("304 for the list of tokens, gzip", allPath, acceptGzip, http.StatusNotModified)},
	{"tls-keepalive", arrive(arrivals[0])},
	{"tls-once", arrive(arrivals[1])},
	{"plain-once", arrive(arrivals[2])},
	{"http2", arrive(arrivals[3])},
	{"hot-metadata", hotMetadata},
	{"cold-metadata", coldMetadata},
	{"hot-pictures", hotPictures},
	{"cold-pictures", coldPictures},
	{"refresh", refresh},
	{"bootstrap", bootstrap},
	{"growth", growth},
	{"history", history(365 * 24 * 60)},
	{"large-history", history(1_000_000, 10_000_000)},
	{"indexing-memory", indexingMemory},
	{"large-freezing", freezing},
	{"start", start},
	{"disturbed", disturbed},
	{"instances", instances},
}

func (b benchmark) large() bool { return strings.HasPrefix(b.name, "large-") }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("name", "", "measure only the benchmarks whose name begins with this")
	quick := flags.Bool("quick", false, "run every part briefly, to see that it works; write no results")
	binary := flags.String("binary", "", "measure this petsupply instead of building one")
	against := flags.String("against", "", "compare the processor time with that of this older petsupply, and nothing "+
		"else")
	list := flags.Bool("list", false, "list the benchmarks")
	index := flags.Int("index", 0, "only index this many pets and print the memory it took; indexing-memory runs this")
	scale := flags.Int("scale", 0, "only try a collection of this many pets in PostgreSQL, and print the results; make "+
		"scale runs this")
	abuse := flags.String("abuse", "", "only misbehave towards the service at this address; disturbed runs this")
	profile := flags.String("profile", "", "write a processor profile to this file; it covers only what runs in this process")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *list {
		for _, w := range benchmarks {
			fmt.Fprintln(stdout, w.name)
		}
		return 0
	}
	work := func() error { return bench(ctx, *name, *binary, *against, *quick, stdout) }
	switch {
	case *index > 0:
		work = func() error { return indexMadeUp(ctx, *index, stdout) }
	case *scale > 0:
		work = func() error { return tryScale(ctx, *scale, stdout) }
	case *abuse != "":
		work = func() error { return misbehave(ctx, *abuse, *quick, stdout) }
	}
	if err := profiled(*profile, work); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// profiled calls f, and writes a processor profile if file is given.
func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// bench runs the chosen benchmarks and writes the results.
func bench(ctx context.Context, name, binary, against string, quick bool, out io.Writer) error {
	h, err := newHarness(ctx, binary, quick, out)
	if err != nil {
		return err
	}
	defer h.close()
	if err := h.install(ctx); err != nil {
		return err
	}
	if against != "" {
		return h.against(ctx, against, name)
	}
	began := time.Now()
	var rows []row
	var done []string
	for _, w := range benchmarks {
		if !strings.HasPrefix(w.name, name) || name == "" && w.large() && !quick {
			continue
		}
		done = append(done, w.name)
		h.say("%s", w.name)
		from := time.Now()
		got, err := w.run(ctx, h)
		if err != nil {
			return fmt.Errorf("measuring %s: %w", w.name, err)
		}
		for _, r := range got {
			r.Benchmark, r.Commit = w.name, h.commit
			if !r.reached() {
				r.Note = strings.TrimSpace(r.Note + " " + why(r))
			}
			if r.tooNoisy() {
				h.say("  left out: %s", r)
				continue
			}
			h.say("  %s", r)
			rows = append(rows, r)
		}
		h.say("  took %s", time.Since(from).Round(100*time.Millisecond))
		if quick {
			continue
		}
		if err := h.write(rows, done); err != nil { // after each, because the next may fail
			return err
		}
	}
	if len(done) == 0 {
		return fmt.Errorf("no benchmark's name begins with %q; see -list", name)
	}
	h.say("%d rows in %s", len(rows), time.Since(began).Round(time.Second))
	return nil
}
