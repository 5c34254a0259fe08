//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// until waits until so returns true.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after a minute: %s", what)
		}
	}
}

func TestPetsAreReadFromAReplica(t *testing.T) {
	primary, replica := postgres.Replicated(t)
	if _, err := primary.Database("pets"); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("store: %q\nstore_reads: %q\nlease: 2s\nchains: {home: {id: 7}}\nrealms: [{key: home, name: "+
		"Home, offset: 0, chain: home, contract: \"0x%040x\", getter: v2, closed: true}]\n", primary.Address("pets"),
		replica.Address("pets"), 7)
	s, err := Load("test.yaml", []byte(text), t.TempDir(), "8080", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	a, err := Open(t.Context(), s, log)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	v := newService(t, a)
	var told atomic.Bool // the feed was read up to a change of pet 4, which is written last
	a.Pets.Subscribe(func(ids []uint64) {
		if slices.Contains(ids, 4) {
			told.Store(true)
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- v.Run(ctx) }()
	defer func() { stop(); <-done }()
	until(t, "it leads", func() bool { _, leading := v.leader.status(); return leading })

	season := func(id uint64) uint8 {
		p, err := a.Pets.Pet(t.Context(), id)
		if err != nil {
			return 0
		}
		return uint8(traits.Number(p.Value, "season"))
	}
	write := func(season uint8, ids ...uint64) {
		b := index.Batch{Realm: s.Realms[0], Kingdom: s.Kingdom(), At: evm.Block{Number: uint64(season), Time: time.Now()}}
		for _, id := range ids {
			b.Observations = append(b.Observations, pet.Observation{ID: id, Owner: common.Address{1},
				Value: traits.V2("season", season)})
		}
		if _, err := a.Store.WritePets(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	write(1, 1, 2, 3)
	until(t, "what is written is read from the replica", func() bool { return season(1) == 1 })
	for n := uint8(2); n < 40; n++ { // memory never keeps the data of a late replica
		write(n, 1)
		season(1)
	}
	n := uint8(0)
	until(t, "the replica's feed is read", func() bool { n++; write(n, 4); return told.Load() })
	until(t, "memory follows it", func() bool { return season(1) == 39 })
	if err := a.Pets.Feed.WantPet(t.Context(), 9, []string{"home"}); err != nil {
		t.Errorf("asking for a pet, which writes: %v", err)
	}
	if _, err := a.reads.WritePets(t.Context(), index.Batch{}); err == nil {
		t.Error("the replica was written to")
	}
	troubles := func() string { return strings.Join(v.warnings(), "; ") }
	until(t, "nothing is wrong", func() bool { return v.replica.fault.Load() != nil && troubles() == "" })

	replica.Stop()
	until(t, "the status says that the replica is away",
		func() bool { return strings.Contains(troubles(), "does not answer") })
	if season(1) != 39 {
		t.Error("a pet in memory is not served")
	}
	if _, err := a.Pets.Pet(t.Context(), 2); !errors.Is(err, pet.ErrUnavailable) {
		t.Errorf("a pet that is not in memory: %v", err)
	}
	if err := replica.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "it is read again", func() bool { return season(2) == 1 && troubles() == "" })
	if err := replica.Execute("postgres", "SELECT pg_wal_replay_pause()"); err != nil {
		t.Fatal(err)
	}
	until(t, "the status says that the replica is behind",
		func() bool { return strings.Contains(troubles(), "is behind the store") })
	if err := replica.Execute("postgres", "SELECT pg_wal_replay_resume()"); err != nil {
		t.Fatal(err)
	}
	until(t, "it has caught up", func() bool { return troubles() == "" })
}
