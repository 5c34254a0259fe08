package index_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/testkit/anvil"
	"petsupply/testkit/postgres"
)

var indexing = flag.String("index", "", "run as the process that indexes the kingdom in this file, until killed")

func TestMain(m *testing.M) {
	flag.Parse()
	if *indexing != "" {
		fmt.Fprintln(os.Stderr, indexProcess(*indexing))
		os.Exit(1)
	}
	os.Exit(postgres.Main(m))
}

// A charge describes the work of an indexing process.
type charge struct {
	Store  string
	Realms []pet.Realm
	URLs   []string // URL of each realm's node
	IDs    []uint64 // ids of the chains
}

// indexProcess leads and indexes as the program does, until it is killed.
func indexProcess(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var c charge
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	ctx := context.Background()
	s, err := store.Open(ctx, c.Store, time.Second, nil)
	if err != nil {
		return err
	}
	const term = 600 * time.Millisecond
	campaign := func() (bool, error) { return s.Campaign(ctx, fmt.Sprint(os.Getpid()), term) }
	for led := false; !led; {
		if led, err = campaign(); err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	var group errgroup.Group
	parent := os.Getppid()
	group.Go(func() error {
		for {
			if os.Getppid() != parent {
				os.Exit(1) // the parent is gone
			}
			if led, err := campaign(); err != nil || !led {
				return fmt.Errorf("no longer leading: %v", err)
			}
			time.Sleep(term / 6)
		}
	})
	for i, r := range c.Realms {
		chain, err := evm.Dial(evm.Config{Name: r.Chain, ID: c.IDs[i],
			Providers: []evm.Provider{{Name: "anvil", URL: c.URLs[i]}},
			Quorum:    1, Finality: "latest", Timeout: 20 * time.Second, MaxLag: 72 * time.Hour,
			Multicall: anvil.Multicall3}, nil)
		if err != nil {
			return err
		}
		x := index.New(r, realmsOf(c.Realms...), chain, s, nil)
		x.Poll, x.SweepEvery, x.SweepIDs = 20*time.Millisecond, 100*time.Millisecond, 10
		group.Go(func() error { return x.Run(ctx) })
	}
	return group.Wait()
}
