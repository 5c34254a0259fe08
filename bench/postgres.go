package main

import (
	"os"

	"petsupply/testkit/postgres"
)

// postgres starts the server of this run, once, without durability: only lookups are measured, and
// the stores are used for this run only.
func (h *harness) postgres() (*postgres.Server, error) {
	if h.pg != nil {
		return h.pg, nil
	}
	dir, err := os.MkdirTemp("", "petsupply-pg-")
	if err != nil {
		return nil, err
	}
	h.onClose(func() { os.RemoveAll(dir) })
	pg, err := postgres.NewServer(dir, append(postgres.Unsafe, "shared_buffers=1GB", "max_wal_size=8GB",
		"checkpoint_timeout=1h")...)
	if err != nil {
		return nil, err
	}
	if err := pg.Start(); err != nil {
		return nil, err
	}
	h.onClose(pg.Stop)
	h.pg = pg
	return pg, nil
}
