package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"petsupply/testkit/postgres"
)

// coldMetadata requests each pet once, so that every answer is read from the store. It compares the
// rate with pgbench's own reads by key.
func coldMetadata(ctx context.Context, h *harness) ([]row, error) {
	s, err := h.collectionStage(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.initPgbench(ctx); err != nil {
		return nil, err
	}
	targets, err := h.targetFile("cold", h.collectionPaths())
	if err != nil {
		return nil, err
	}
	var rounds []pairing // seconds for a thousand answers
	for round := range h.rounds + 1 {
		rate, err := h.askOnce(ctx, s, targets)
		if err != nil {
			return nil, err
		}
		reads, err := h.pgbench(ctx)
		if err != nil {
			return nil, err
		}
		h.say("  cold metadata round %d: ours %.0f/s, pgbench %.0f/s", round, rate, reads)
		if round > 0 {
			rounds = append(rounds, pairing{1000 / rate, 1000 / reads})
		}
	}
	r := compare("cold metadata from PostgreSQL", "answers (ours) or reads (peer) a second", 0.5, rounds)
	r.Ours, r.Peer, r.Against = 1000/r.Ours, 1000/r.Peer, "pgbench, select-only"
	return []row{r}, nil
}

// askOnce requests different pets from a service that has read none of them, on as many connections
// as pgbench has, and returns the rate.
func (h *harness) askOnce(ctx context.Context, s *stage, targets string) (float64, error) {
	fresh, err := h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return 0, err
	}
	defer fresh.Stop()
	time.Sleep(3 * time.Second) // wait while the service unpacks its art pack
	got, err := h.measureLoad(ctx, &side{Process: fresh.Process, load: load{url: fresh.url, targets: targets,
		connections: pgClients},
		targets: h.collectionPaths(), status: http.StatusOK, bodies: func(target string) ([]byte, error) {
			body, err := os.ReadFile(s.file(target))
			return moved(body, s.ours, fresh), err
		}})
	if err == nil && !h.quick && got.Requests > collectionSize {
		err = fmt.Errorf("%d answers in %s: some pets were asked for twice", got.Requests, h.span)
	}
	return got.rate(), err
}

// initPgbench makes pgbench's own table. At scale 1 it has as many rows as the collection has pets.
func (h *harness) initPgbench(ctx context.Context) error {
	pg, err := h.postgres()
	if err != nil {
		return err
	}
	if _, err := pg.Database("pgbench"); err != nil {
		return err
	}
	_, err = pgbenchOutput(ctx, pg, "-i", "-q", "-s", "1", "pgbench")
	return err
}

func pgbenchOutput(ctx context.Context, pg *postgres.Server, args ...string) ([]byte, error) {
	program, err := postgres.Program("pgbench")
	if err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, program, append([]string{"-h", pg.Dir, "-U", "petsupply"},
		args...)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("running pgbench: %w: %s", err, out)
	}
	return out, nil
}

// pgClients is the number of connections that pgbench opens to PostgreSQL.
const pgClients = 16

// pgbench returns how many rows a second pgbench reads by key.
func (h *harness) pgbench(ctx context.Context) (float64, error) {
	out, err := pgbenchOutput(ctx, h.pg, "-n", "-S", "-M", "prepared", "-c", strconv.Itoa(pgClients), "-j", "2", "-T",
		strconv.Itoa(int(h.span.Seconds())), "pgbench")
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
