// Command nodes tries the service on the node software that real chains run: geth with both state
// schemes, Kaia, avalanchego with coreth, and subnet-evm. It builds missing clients, which
// takes an hour the first time. It starts one client after the other and deploys a token and a realm
// of pets. Then it takes the service through situations that operators see: pauses, restarts, quiet
// hours. make nodes runs it.
//
//	go run ./testkit/nodes -clients geth,kaia       tries some clients
//	go run ./testkit/nodes -write                   also writes docs/NODES.md
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

// settings say how the trial is run.
type settings struct {
	root, bin string // the source tree, and where the clients are
	dir       string // directory of this run
	quiet     time.Duration
	write     bool
	out       io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s := settings{out: stdout}
	flags := flag.NewFlagSet("nodes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	names := flags.String("clients", "", "clients to try, separated by commas; default: all")
	flags.DurationVar(&s.quiet, "quiet", 5*time.Minute, "how long a chain that makes blocks on demand is left alone")
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

// tryAll tries the named clients. If the first name is "", it tries all clients. ok says that
// nothing went wrong.
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
	var reports []*report
	for _, c := range clients {
		if names[0] != "" && !slices.Contains(names, c.name) {
			continue
		}
		r := &report{client: c, seen: map[string]string{}}
		reports = append(reports, r)
		if err := s.try(ctx, r); err != nil {
			s.check(r, "everything was tried", err)
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	table := tableOf(reports)
	fmt.Fprintln(s.out, table)
	if s.write {
		err = writeTable(filepath.Join(s.root, "docs", "NODES.md"), table)
	}
	return !slices.ContainsFunc(reports, (*report).failed), err
}

func (s *settings) say(format string, args ...any) {
	fmt.Fprintf(s.out, "%s  "+format+"\n", append([]any{time.Now().Format(time.TimeOnly)}, args...)...)
}
