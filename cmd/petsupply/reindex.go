package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/store"
)

// reindexCmd applies a changed collection to the store, and makes the leader read realms again.
type reindexCmd struct {
	Realm  []string `placeholder:"KEY" help:"Read only this realm from the start. Repeat the flag for more. Default: every realm that is not closed."`
	Forget string   `placeholder:"KEY" help:"Remove the pets of a realm that is no longer configured, and read nothing."`
	configFlags
}

func (c *reindexCmd) Help() string {
	return `Run it after a change of the collection file that the service refuses: other types,
another order, fewer fields, or other getters. Also run it for a realm whose chain
was reset further than the service can follow.

The feed of changes stays. The leader reads the realms from the start in the background.
Meanwhile the service answers with the pets in the store. But if the stored pets do not
fit the collection, they are all removed, imported ones too: import those again. When a
realm is done, the feed gets one change of the kind "reread". Restart services that run
with an older collection file.

With --forget it removes the pets of one realm that is not in the configuration any more.`
}

// Run writes the request into the store.
func (c *reindexCmd) Run(ctx context.Context, p *program) error {
	s, db, err := c.openStore(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	var open []string
	for _, r := range s.Realms {
		if !r.Closed {
			open = append(open, r.Key)
		}
	}
	if len(s.Realms) == 0 {
		return usage("the configuration has no realms")
	}
	if c.Forget != "" {
		return c.forget(ctx, p, s.Registry(), db)
	}
	for _, key := range c.Realm {
		switch {
		case slices.Contains(open, key):
		case len(open) == 0:
			return usage("there is no open realm %s; every realm is closed", key)
		default:
			return usage("there is no open realm %s; the open realms are: %s", key, strings.Join(open, ", "))
		}
	}
	if len(c.Realm) > 0 {
		open = c.Realm
	}
	asked, err := db.Reindex(ctx, open)
	if err != nil {
		return fmt.Errorf("changing the store %s: %w", s.StoreName(), err)
	}
	fmt.Fprintf(p.stdout, "The store %s now uses the current collection.\n", s.StoreName())
	if len(asked) > 0 {
		fmt.Fprintf(p.stdout, "The leader will read these realms from the start: %s.\n", strings.Join(asked, ", "))
	} else {
		fmt.Fprintln(p.stdout, "None of the realms to reindex has been read yet, so there is nothing to read again.")
	}
	return nil
}

// forget removes the pets of a realm that is not configured.
func (c *reindexCmd) forget(ctx context.Context, p *program, rg *pet.Registry, db *store.Store) error {
	if len(c.Realm) > 0 {
		return usage("--forget and --realm exclude each other")
	}
	if slices.ContainsFunc(rg.Realms, func(r pet.Realm) bool { return r.Key == c.Forget }) {
		return usage("the realm %s is configured; remove it from the configuration first", c.Forget)
	}
	n, err := db.ForgetRealm(ctx, rg, c.Forget)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%d %s of %s were removed.\n", n, rg.Collection.Many, c.Forget)
	return nil
}
