// Command nodes tries the service on the node software that real chains run:
// geth with both state schemes, Kaia, avalanchego with coreth, and subnet-evm. It
// builds what is missing (make nodes; the first time takes an hour), starts one
// client after the other, deploys a token and a realm of pets, and has the
// service live through what operators see: pauses, restarts, quiet hours.
//
//	go run ./testkit/nodes -clients geth,kaia       some of them
//	go run ./testkit/nodes -write                   and write docs/NODES.md
//	go run ./testkit/nodes -record                  and what the clients say, for the tests of package evm
//
// Begin with trial.go, which has the cases; client.go knows the clients.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"petsupply/testkit/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are how the trial is run.
type settings struct {
	root, bin     string // the source tree, and where the clients are
	dir           string // of this run
	pauses        []int
	quiet         time.Duration
	record, write bool
	out           io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s := settings{out: stdout, pauses: []int{40, 250}}
	flags := flag.NewFlagSet("nodes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	names := flags.String("clients", "", "which, with commas; by default all")
	flags.DurationVar(&s.quiet, "quiet", 5*time.Minute, "how long a chain that makes blocks on demand is left alone")
	flags.BoolVar(&s.record, "record", false, "write internal/evm/testdata/nodes anew")
	flags.BoolVar(&s.write, "write", false, "write docs/NODES.md anew")
	if flags.Parse(args) != nil {
		return 2
	}
	reports, err := s.tryAll(ctx, strings.Split(*names, ","))
	table := tableOf(reports)
	fmt.Fprintln(stdout, table)
	if err == nil && s.write {
		err = writeDocument(filepath.Join(s.root, "docs", "NODES.md"), table)
	}
	if err != nil {
		fmt.Fprintln(stderr, "nodes:", err)
		return 1
	}
	for _, r := range reports {
		if r.failed() {
			return 1
		}
	}
	return 0
}

// tryAll tries the named clients; all if there is no name.
func (s *settings) tryAll(ctx context.Context, names []string) (reports []*report, err error) {
	if s.root, err = tools.Root(); err != nil {
		return nil, err
	}
	s.bin = filepath.Join(s.root, ".tools", "nodes", "bin")
	if s.dir, err = os.MkdirTemp("", "nodes"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(s.dir)
	s.say("building the service …")
	if err := tools.Program(ctx, filepath.Join(s.dir, "petsupply"), "nodes"); err != nil {
		return nil, err
	}
	for _, c := range clients {
		if names[0] != "" && !slices.Contains(names, c.name) {
			continue
		}
		r := &report{client: c, seen: map[string]string{}}
		reports = append(reports, r)
		if err := s.try(ctx, r); err != nil {
			r.err = err
			s.say("%s: %v", c.name, err)
		}
		if ctx.Err() != nil {
			return reports, ctx.Err()
		}
	}
	return reports, nil
}

func (s *settings) say(format string, args ...any) {
	fmt.Fprintf(s.out, "%s  "+format+"\n", append([]any{time.Now().Format(time.TimeOnly)}, args...)...)
}
