package app

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/demo"
	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/testkit/traits"
)

// A slowChain says that it has 20,000 pets. It needs twelve seconds to read 2,000 of them.
type slowChain struct{ index.Chain }

func (c slowChain) Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	if len(calls) == 1 {
		return [][]byte{common.BigToHash(big.NewInt(20_000)).Bytes()}, nil
	}
	time.Sleep(12 * time.Second)
	return c.Chain.Read(ctx, at, calls)
}

// A forgetfulStore keeps only the position.
type forgetfulStore struct {
	index.Store
	position *index.Position
}

func (s *forgetfulStore) PetWork(context.Context, string, int) (index.Work, error) {
	return index.Work{Position: s.position}, nil
}

func (s *forgetfulStore) WritePets(_ context.Context, b index.Batch) (index.Written, error) {
	if r, ok := b.(*index.Reading); ok {
		s.position = &r.Position
	}
	return index.Written{}, nil
}

// Every ten seconds the log says how far a realm is read, and how long it will still take.
func TestTheFirstReadingIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "p.db"), time.Second, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s := &Settings{Config: &config.Config{Realms: demo.Realms()[:1]}}
		world := demo.NewWorld(func() time.Time { return demo.End }, nil)
		x := index.New(s.Realms[0], &pet.Registry{Collection: traits.Pets(), Realms: s.Realms},
			slowChain{world.Chains()["first"]}, &forgetfulStore{}, nil)
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, nil))
		v := &Service{App: &App{Settings: s, Store: db, log: log}, indexers: []*index.Indexer{x}}
		ctx, stop := context.WithTimeout(t.Context(), 41*time.Second)
		defer stop()
		go x.Run(ctx)
		if err := v.logReading(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // what was being read ends
		const line = "time=2000-01-01T00:00:%d.000Z level=INFO msg=\"pets: a realm is being read\" realm=first " +
			"phase=natives percent=%d pets_per_second=%d%s\n"
		want := fmt.Sprintf(line, 10, 0, 0, "") + fmt.Sprintf(line, 20, 10, 166, " left=1m48s") +
			fmt.Sprintf(line, 30, 20, 166, " left=1m36s") + fmt.Sprintf(line, 40, 30, 166, " left=1m24s")
		if said.String() != want {
			t.Errorf("the log says\n%swant\n%s", &said, want)
		}
	})
}
