package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// reindexCmd applies a changed collection to the store, and makes the leader read realms again.
type reindexCmd struct {
	Realm []string `placeholder:"KEY" help:"Read only this realm from the start. Repeat the flag for more. Default: every realm that is not closed."`
	configFlags
}

func (c *reindexCmd) Help() string {
	return `Run it after a change of the collection file that the service refuses: other types,
another order, fewer fields, or other getters. Also run it for a realm whose chain
was reset further than the service can follow.

The feed of changes stays, and so do past states of pets. The leader reads the realms
from the start in the background. Meanwhile the service answers with the pets in the
store. When a realm is done, the feed gets one change of the kind "reread". Restart
services that run with an older collection file.`
}

// Run writes the request into the store.
func (c *reindexCmd) Run(ctx context.Context, p *program) error {
	s, db, err := c.openStore(ctx, p, "the demo needs no index")
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
