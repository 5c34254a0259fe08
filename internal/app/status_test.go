package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
)

// deadChain is a chain whose nodes do not answer.
type deadChain struct{ index.Chain }

func (deadChain) Pin(context.Context, time.Time) (evm.Block, error) {
	return evm.Block{}, errors.New("no provider answers")
}

type emptyStore struct{ index.Store }

func (emptyStore) PetWork(context.Context, string, int) (index.Work, error) {
	return index.Work{}, nil
}

func TestARealmThatStandsStillIsSaidWhereReadinessIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		realm := pet.Realm{Key: "second"}
		x := index.New(realm, []pet.Realm{realm}, deadChain{}, emptyStore{}, nil)
		v := &Service{App: &App{Board: supply.NewBoard(nil, supply.AgePolicy{}, false)}, leader: &leader{}, indexers: []*index.Indexer{x}}
		v.leader.leading.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.Run(ctx)
		time.Sleep(4 * time.Minute)
		if said := v.warnings(); len(said) != 0 {
			t.Errorf("after four minutes: %q", said)
		}
		time.Sleep(2 * time.Minute)
		said := v.warnings()
		if len(said) != 1 || !strings.Contains(said[0], "realm second stands still") || !strings.Contains(said[0], "no provider answers") {
			t.Errorf("after six minutes: %q", said)
		}
		v.leader.leading.Store(false)
		if said := v.warnings(); len(said) != 0 {
			t.Errorf("an instance that does not index: %q", said)
		}
	})
}
