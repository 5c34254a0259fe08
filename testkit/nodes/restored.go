package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// tryRestored replaces a node's data with an older copy, so that the node lacks its last blocks and
// makes others instead. Meanwhile the service must serve the last known data. When the chain has
// grown again, the service must follow it.
func (s *settings) tryRestored(ctx context.Context, c client) (forgot uint64, err error) {
	t, err := s.newTown(ctx, c, "-restored")
	if err != nil {
		return 0, err
	}
	defer t.stop()
	t.stop()
	backup := t.dir + "-backup"
	if out, err := exec.CommandContext(ctx, "cp", "-a", t.dir, backup).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("copying the node's data: %w: %s", err, out)
	}
	if err := t.open(ctx); err != nil {
		return 0, err
	}
	v, err := s.newService(t, t.usual())
	if err != nil {
		return 0, err
	}
	if err := v.run(ctx); err != nil {
		return 0, err
	}
	defer v.stop()
	if err := v.changes(ctx, 3); err != nil {
		return 0, err
	}
	before, err := t.height(ctx)
	if err != nil {
		return 0, err
	}
	t.stop()
	if err := os.RemoveAll(t.dir); err != nil {
		return 0, err
	}
	if err := os.Rename(backup, t.dir); err != nil {
		return 0, err
	}
	if err := t.open(ctx); err != nil {
		return 0, err
	}
	after, err := t.height(ctx)
	if err != nil {
		return 0, err
	}
	if _, err := get(v.address()); err != nil {
		return 0, fmt.Errorf("the last known data is not served: %w", err)
	}
	if err := t.pass(ctx, int(before-min(before, after))); err != nil {
		return 0, err
	}
	return before - min(before, after), v.changes(ctx, petsHatched)
}

// changes makes this many changes in the town, and waits until the service has the
// truth.
func (v *service) changes(ctx context.Context, times int) error {
	for range times {
		if err := v.town.happen(ctx); err != nil {
			return err
		}
	}
	return v.explain(v.tellsTruth(ctx, patience))
}
