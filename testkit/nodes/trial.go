package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// patience is how long the service may take until its figures and pets are correct again.
const patience = 90 * time.Second

// try runs the service on one client.
func (s *settings) try(ctx context.Context, r *report) error {
	t, err := s.newTown(ctx, r.client, "")
	if err != nil {
		return err
	}
	defer t.stop()
	r.see("version", t.version)
	s.check(r, "`init` works with a token and pets that are seconds old", s.drafts(ctx, t))
	if err := s.lifeOfAService(ctx, r, t); err != nil {
		return err
	}
	s.check(r, "correct without Multicall3", s.briefly(ctx, t, "finality: latest, multicall: none"))
	for _, finality := range []string{"latest-3", "safe", "finalized"} {
		err := s.briefly(ctx, t, fmt.Sprintf("finality: %s, multicall: %q", finality, t.multicall))
		if err != nil && strings.Contains(err.Error(), "finality to latest") {
			r.see("correct with finality "+finality, "no such tag; the program log says to set `latest`")
			continue
		}
		s.check(r, "correct with finality "+finality, err)
	}
	t.stop()
	const restored = "correct after the node was restored from an older copy of its data"
	forgot, err := s.tryRestored(ctx, r.client)
	if s.check(r, restored, err); err == nil {
		r.seen[restored] = fmt.Sprintf("yes, %d blocks older", forgot)
	}
	return nil
}

// drafts runs petsupply init on the node, and petsupply config check on the result.
func (s *settings) drafts(ctx context.Context, t *town) error {
	dir, err := os.MkdirTemp(s.dir, "init")
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--rpc", t.url, "--token", t.token.Hex(), "--pets", t.pets.Hex()},
		{"config", "check", "petsupply.yaml", "--online"},
	} {
		cmd := exec.CommandContext(ctx, filepath.Join(s.dir, "petsupply"), args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("petsupply %s: %w: %s", args[0], err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "petsupply.yaml"))
	if err == nil && t.onDemand != strings.Contains(string(text), "blocks: on-demand") {
		err = fmt.Errorf("the chain makes blocks on demand: %t, but init wrote: %s", t.onDemand, text)
	}
	return err
}

// lifeOfAService runs a service, and checks that it is correct from its first start on: after
// changes on the chain, after stops of the service, and after a restart of the node.
func (s *settings) lifeOfAService(ctx context.Context, r *report, t *town) error {
	v, err := s.newService(t, t.usual())
	if err != nil {
		return err
	}
	if err := v.run(ctx); err != nil {
		return err
	}
	defer v.stop()
	s.check(r, "correct at the first start", v.explain(v.tellsTruth(ctx, patience)))
	if err := t.happen(ctx); err != nil {
		return err
	}
	s.check(r, "correct after a change on the chain", v.explain(v.tellsTruth(ctx, patience)))
	s.check(r, "`verify` confirms the figure", v.verify(ctx))
	for _, blocks := range []int{40, 250} {
		v.stop()
		if err := t.happen(ctx); err != nil {
			return err
		}
		if err := t.pass(ctx, blocks); err != nil {
			return err
		}
		if err := v.run(ctx); err != nil {
			return err
		}
		err := v.explain(v.tellsTruth(ctx, patience))
		if err == nil {
			if err = t.happen(ctx); err == nil {
				err = v.explain(v.tellsTruth(ctx, patience))
			}
		}
		s.check(r, fmt.Sprintf("correct after the service was stopped for %d blocks", blocks), err)
	}
	if t.onDemand {
		s.check(r, fmt.Sprintf("correct during %.0f minutes without a block", s.quiet.Minutes()),
			v.explain(v.staysFresh(ctx, s.quiet)))
	}
	s.measure(ctx, r, t)
	s.check(r, "`verify` confirms the proof while the node is off", v.proves(ctx))
	s.check(r, "correct after a restart of the node", v.afterRestart(ctx))
	return nil
}

// afterRestart stops the node and starts it again. The published data must be correct before there
// is a new block, and after it.
func (v *service) afterRestart(ctx context.Context) error {
	v.town.node.stop()
	if err := v.town.open(ctx); err != nil {
		return err
	}
	if err := v.explain(v.tellsTruth(ctx, patience)); err != nil {
		return fmt.Errorf("before a new block: %w", err)
	}
	if err := v.town.happen(ctx); err != nil {
		return err
	}
	return v.explain(v.tellsTruth(ctx, patience))
}

// staysFresh checks, during a time without blocks, that the figure stays fresh.
func (v *service) staysFresh(ctx context.Context, quiet time.Duration) error {
	for end := time.Now().Add(quiet); time.Now().Before(end); {
		if err := v.tellsTruth(ctx, time.Second); err != nil {
			return err
		}
		if _, err := get("http://" + v.ops + "/readyz"); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}

// briefly runs another service, with other settings. It adds blocks until the service publishes
// what the chain has.
func (s *settings) briefly(ctx context.Context, t *town, how string) error {
	v, err := s.newService(t, how)
	if err != nil {
		return err
	}
	if err := v.run(ctx); err != nil {
		return err
	}
	defer v.stop()
	if err := t.happen(ctx); err != nil {
		return err
	}
	err = within(ctx, patience, func() error {
		if err := t.pass(ctx, 1); err != nil {
			return err
		}
		return v.tellsTruth(ctx, time.Second)
	})
	return v.explain(err)
}

// explain adds the service's own log to an error.
func (v *service) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; the last warning of the service: %s", err, v.lastWords())
}

// measure finds the limits of the node.
func (s *settings) measure(ctx context.Context, r *report, t *town) {
	chain, err := evm.Dial(evm.Config{Name: t.name, ID: t.id, Providers: []evm.Provider{{Name: t.name, URL: t.url}},
		Quorum: 1, Finality: "latest", Timeout: 10 * time.Second, MaxLag: 24 * time.Hour}, nil)
	if err == nil {
		defer chain.Close()
		l := chain.Limits(ctx, []common.Address{t.pets})[0]
		if err = l.Err; err == nil {
			state := fmt.Sprintf("%d blocks", l.State)
			if l.AllState {
				state = "all " + state
			}
			r.see("earlier blocks whose state the node keeps", state)
			r.see("blocks that one search for logs can cover (at most 10,000 were tried)", fmt.Sprintf("%d blocks", l.Logs))
			s.say("%s: state of %s, logs of %d blocks at once", t.name, state, l.Logs)
			return
		}
	}
	s.check(r, "measured", err)
}

func (s *settings) check(r *report, what string, err error) {
	r.see(what, "yes")
	if err != nil {
		r.seen[what] = "**no**: " + err.Error()
	}
	s.say("%s: %s: %s", r.client.name, what, r.seen[what])
}
