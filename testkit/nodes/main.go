// Command nodes tries the service on the node software that real chains run: geth with both state
// schemes, Kaia, avalanchego with coreth, and subnet-evm. It builds missing clients, which
// takes an hour the first time. It starts one client after the other and deploys a token and a realm
// of pets. Then it takes the service through situations that operators see: pauses, restarts, quiet
// hours. make nodes runs it.
//
//	go run ./testkit/nodes -clients geth,kaia       tries some clients
//	go run ./testkit/nodes -write                   also writes docs/NODES.md
//	go run ./testkit/nodes -clients none -together 1h     runs all at once, for an hour
//	go run ./testkit/nodes -record                  also records answers, for the tests of package evm
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

	"golang.org/x/sync/errgroup"

	"petsupply/testkit/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings say how the trial is run.
type settings struct {
	root, bin     string // the source tree, and where the clients are
	dir           string // directory of this run
	pauses        []int
	quiet         time.Duration
	allAtOnce     time.Duration
	parallel      int
	record, write bool
	out           io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s := settings{out: stdout, pauses: []int{40, 250}}
	flags := flag.NewFlagSet("nodes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	names := flags.String("clients", "", "clients to try one by one, separated by commas; example is "+
		"examples/defikingdoms.yaml, none is none; default: all")
	flags.DurationVar(&s.quiet, "quiet", 5*time.Minute, "how long a chain that makes blocks on demand is left alone")
	flags.DurationVar(&s.allAtOnce, "together", 15*time.Minute,
		"how long one service lives on all clients at once, after each was tried alone")
	flags.IntVar(&s.parallel, "parallel", 1, "how many clients are tried at the same time")
	flags.BoolVar(&s.record, "record", false, "write internal/evm/testdata/nodes")
	flags.BoolVar(&s.write, "write", false, "write docs/NODES.md")
	if flags.Parse(args) != nil {
		return 2
	}
	ok, err := s.tryAll(ctx, strings.Split(*names, ","))
	if err != nil {
		fmt.Fprintln(stderr, "nodes:", err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}

// tryAll tries each of the named clients alone. For the name "example" it calls tryExample. If no
// name is given, tryAll tries every client and the example. If allAtOnce is set, it then tries all
// clients together. ok says that nothing went wrong.
func (s *settings) tryAll(ctx context.Context, names []string) (ok bool, err error) {
	if s.root, err = tools.Root(); err != nil {
		return false, err
	}
	s.bin = filepath.Join(s.root, ".tools", "nodes", "bin")
	if s.dir, err = os.MkdirTemp("", "nodes"); err != nil {
		return false, err
	}
	defer os.RemoveAll(s.dir)
	s.say("building the service …")
	if err := tools.Program(ctx, filepath.Join(s.dir, "petsupply"), "nodes"); err != nil {
		return false, err
	}
	ok, err = s.tryEach(ctx, names)
	if err != nil {
		return false, err
	}
	if names[0] == "" || slices.Contains(names, "example") {
		text, err := s.tryExample(ctx)
		if err != nil {
			ok, text = false, fmt.Sprintf("**no**: %v\n", err)
		}
		if err := s.publish("example", text); err != nil {
			return false, err
		}
	}
	if s.allAtOnce == 0 {
		return ok, nil
	}
	l, err := s.together(ctx)
	if err != nil {
		return false, err
	}
	return ok && len(l.faults) == 0, s.publish("together", l.text())
}

// tryEach tries the named clients, each by itself. If the first name is "", it tries all clients.
func (s *settings) tryEach(ctx context.Context, names []string) (ok bool, err error) {
	var reports []*report
	var group errgroup.Group
	group.SetLimit(max(1, s.parallel))
	for _, c := range clients {
		if names[0] != "" && !slices.Contains(names, c.name) {
			continue
		}
		r := &report{client: c, seen: map[string]string{}}
		reports = append(reports, r)
		group.Go(func() error {
			if r.err = s.try(ctx, r); r.err != nil {
				s.say("%s: %v", c.name, r.err)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil || len(reports) == 0 {
		return err == nil, err
	}
	return !slices.ContainsFunc(reports, (*report).failed), s.publish("table", tableOf(reports))
}

// publish prints a part of docs/NODES.md, and writes it there with -write.
func (s *settings) publish(part, text string) error {
	fmt.Fprintln(s.out, text)
	if !s.write {
		return nil
	}
	return writeDocument(filepath.Join(s.root, "docs", "NODES.md"), part, text)
}

func (s *settings) say(format string, args ...any) {
	fmt.Fprintf(s.out, "%s  "+format+"\n", append([]any{time.Now().Format(time.TimeOnly)}, args...)...)
}
