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
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"petsupply/testkit/kingdom"
	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address of the service")
	ops := flag.String("ops", "127.0.0.1:9090", "address of its metrics and probes")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "the same seed lets the same things happen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen, *ops, *seed); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "devnet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen, ops string, seed uint64) error {
	dir, err := os.MkdirTemp("", "petsupply-devnet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("starting four nodes, founding the kingdom and building the service …")
	k, err := kingdom.Found(ctx, kingdom.Options{Pets: 40, Seed: seed})
	if err != nil {
		return err
	}
	defer k.Close()
	program := filepath.Join(dir, "petsupply")
	if err := tools.Program(ctx, program, "devnet"); err != nil {
		return err
	}
	s, err := serve(ctx, program, dir, k.Config(kingdom.Settings{}), listen, ops)
	if err != nil {
		return err
	}
	defer s.Stop()
	for _, c := range k.Chains {
		fmt.Printf("chain %-7s id %d   %s\n", c.Name, c.ID, c.URL)
	}
	base := "http://" + strings.Replace(listen, "127.0.0.1", "localhost", 1)
	fmt.Printf("the site       %s/\nmetrics        http://%s/metrics\nconfig file    %s\n", base, ops, configFile(dir))
	if err := live(ctx, k, time.Second, s.Done(), os.Stdout); err != nil {
		return fmt.Errorf("%w; the log of the service ends with:\n%s", err, s.Output.Tail())
	}
	return nil
}

func configFile(dir string) string { return filepath.Join(dir, "petsupply.yaml") }

// serve runs the program with a configuration, and waits until it is ready.
func serve(ctx context.Context, program, dir, config, listen, ops string) (*process.Process, error) {
	if err := os.WriteFile(configFile(dir), []byte(config), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "serve", "--config", configFile(dir), "--data", filepath.Join(dir, "data"),
		"--listen", listen, "--ops", ops)
	// Ctrl-C reaches only us. We end the service after the last round.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	return s, s.Until(ctx, func() error {
		response, err := http.Get("http://" + ops + "/readyz")
		if err != nil {
			return err
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("readyz answers %s", response.Status)
		}
		return nil
	})
}

// live changes the kingdom at each tick, until the service ends or ctx ends.
func live(ctx context.Context, k *kingdom.Kingdom, every time.Duration, ended <-chan struct{}, out io.Writer) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ended:
			return errors.New("the service has ended")
		case now := <-tick.C:
			what, err := k.Step(ctx, 3)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s  %s\n", now.Format(time.TimeOnly), strings.Join(what, "; "))
		}
	}
}
