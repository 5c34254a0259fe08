package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// coldMetadata asks for each pet once, so that every answer is read from the
// store, and compares the rate with that of pgbench's own reads by key.
func coldMetadata(ctx context.Context, y *yard) ([]row, error) {
	s, err := y.herdStage(ctx)
	if err != nil {
		return nil, err
	}
	if err := y.initPgbench(ctx); err != nil {
		return nil, err
	}
	fresh, err := y.serve(ctx, "--config", y.herdConfig)
	if err != nil {
		return nil, err
	}
	defer fresh.stop()
	paths, parts := y.herdPaths(), y.rounds+1
	var rounds []pairing // of seconds per thousand
	for round := range parts {
		part := paths[round*len(paths)/parts : (round+1)*len(paths)/parts]
		rate, err := y.askOnce(ctx, s, fresh, part)
		if err != nil {
			return nil, err
		}
		reads, err := y.pgbench(ctx)
		if err != nil {
			return nil, err
		}
		y.say("  cold metadata round %d: ours %.0f/s, pgbench %.0f/s", round, rate, reads)
		if round > 0 {
			rounds = append(rounds, pairing{1000 / rate, 1000 / reads})
		}
	}
	r := compare("cold metadata from PostgreSQL", "answers or reads a second", 0.5, rounds)
	r.Ours, r.Peer, r.Against = 1000/r.Ours, 1000/r.Peer, "pgbench, select-only"
	return []row{r}, nil
}

// askOnce asks a service for each path once, on as many connections as pgbench
// has, and returns the rate.
func (y *yard) askOnce(ctx context.Context, s *stage, fresh *service, paths []string) (float64, error) {
	const clients = 16
	bodies := make([][]byte, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for c := range clients {
		group.Go(func() error {
			conn, err := dial(fresh.address)
			if err != nil {
				return err
			}
			defer conn.Close()
			for i := c; i < len(paths) && ctx.Err() == nil; i += clients {
				if bodies[i], err = conn.body(paths[i]); err != nil {
					return fmt.Errorf("%s: %w", paths[i], err)
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	rate := float64(len(paths)) / time.Since(began).Seconds()
	for i, path := range paths { // as the other instance answered them
		want, err := os.ReadFile(s.file(path))
		if err != nil {
			return 0, err
		}
		if !bytes.Equal(atHome(bodies[i], fresh, s), want) {
			return 0, fmt.Errorf("%s is not what another instance answers", path)
		}
	}
	return rate, nil
}

// initPgbench makes pgbench's own table; at scale 1 it has as many rows as the
// herd has pets.
func (y *yard) initPgbench(ctx context.Context) error {
	pg, err := y.postgres(ctx)
	if err != nil {
		return err
	}
	if _, err := pg.database(ctx, "pgbench"); err != nil {
		return err
	}
	_, err = pgbenchOutput(ctx, pg, "-i", "-q", "-s", "1", "pgbench")
	return err
}

func pgbenchOutput(ctx context.Context, pg *postgres, args ...string) ([]byte, error) {
	program, err := pgProgram("pgbench")
	if err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, program, append([]string{"-h", pg.dir, "-U", "petsupply"}, args...)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("running pgbench: %w: %s", err, out)
	}
	return out, nil
}

// pgbench returns how many rows a second pgbench reads by key.
func (y *yard) pgbench(ctx context.Context) (float64, error) {
	out, err := pgbenchOutput(ctx, y.pg, "-n", "-S", "-M", "prepared", "-c", "16", "-j", "2", "-T", strconv.Itoa(int(y.span.Seconds())), "pgbench")
	if err != nil {
		return 0, err
	}
	return parsePgbench(out)
}

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+) \(without initial connection time\)`)

func parsePgbench(out []byte) (float64, error) {
	found := tps.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench printed no rate: %s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
