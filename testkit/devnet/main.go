// Command devnet runs a small kingdom on local nodes with the service in front of it, so that you
// can watch figures and pets change. Open the address that it prints. Ctrl-C ends all of it; nothing
// is kept.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"petsupply/testkit/kingdom"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// A devnet has the settings from the command line.
type devnet struct {
	listen, ops string
	every       time.Duration
	pets, deeds int
	seed        uint64
	serve       bool
	out         io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	d := devnet{out: stdout}
	flags := flag.NewFlagSet("devnet", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&d.listen, "listen", "127.0.0.1:8080", "address of the service")
	flags.StringVar(&d.ops, "ops", "127.0.0.1:9090", "address of its metrics and probes")
	flags.DurationVar(&d.every, "every", time.Second, "time between two blocks")
	flags.IntVar(&d.pets, "pets", 40, "pets of each realm to begin with")
	flags.IntVar(&d.deeds, "deeds", 3, "things that happen to pets in each block")
	flags.Uint64Var(&d.seed, "seed", uint64(time.Now().UnixNano()), "the same seed lets the same things happen")
	flags.BoolVar(&d.serve, "serve", true, "run the service too, not the nodes alone")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := d.run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "devnet:", err)
		return 1
	}
	return 0
}

func (d devnet) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "petsupply-devnet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d.say("starting four nodes and founding the kingdom …")
	k, err := kingdom.Found(ctx, kingdom.Options{Pets: d.pets, Seed: d.seed})
	if err != nil {
		return err
	}
	defer k.Close()
	file := filepath.Join(dir, "petsupply.yaml")
	if err := os.WriteFile(file, []byte(k.Config(kingdom.Settings{})), 0o600); err != nil {
		return err
	}
	for _, c := range k.Chains {
		d.say("chain %-7s id %d   %s", c.Name, c.ID, c.URL)
	}
	d.say("config file    %s", file)
	var s *service
	if d.serve {
		if s, err = d.start(ctx, dir, file); err != nil {
			return err
		}
		defer s.Stop()
		d.guide()
	}
	return d.live(ctx, k, s)
}

// live changes the kingdom at each tick, until the service ends or ctx ends. The service may be
// nil.
func (d devnet) live(ctx context.Context, k *kingdom.Kingdom, s *service) error {
	var ended <-chan struct{} // nil without a service
	if s != nil {
		ended = s.Done()
	}
	tick := time.NewTicker(d.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			d.say("ending")
			return nil
		case <-ended:
			return fmt.Errorf("the service ended; its log ends with:\n%s", s.tail())
		case now := <-tick.C:
			what, err := k.Step(ctx, d.deeds)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			d.say("%s  %s", now.Format(time.TimeOnly), strings.Join(what, "; "))
		}
	}
}

// guide prints where to look.
func (d devnet) guide() {
	base := "http://" + strings.Replace(d.listen, "127.0.0.1", "localhost", 1)
	d.say("")
	d.say("  the site       %s/", base)
	d.say("  a figure       %s/supply/jewel/circulatingsupply", base)
	d.say("  its evidence   %s/supply/jewel/evidence", base)
	d.say("  a pet          %s/pets/token/1000000000001", base)
	d.say("  its picture    %s/pets/image/1000000000001", base)
	d.say("  status         %s/status", base)
	d.say("  metrics        http://%s/metrics", d.ops)
	d.say("")
}

func (d devnet) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }
