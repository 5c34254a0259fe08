package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/traits"
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

// added returns the problems that a function adds, with their kinds.
func added(by func(adder)) (list []string) {
	by(func(kind, format string, args ...any) { list = append(list, kind+": "+fmt.Sprintf(format, args...)) })
	return list
}

// Failed measurements are a problem long before the figure is stale.
func TestAFailingTokenIsAProblem(t *testing.T) {
	tokens := []ledger.Token{{Path: "jade", Symbol: "JADE"}}
	v := &Service{App: &App{Board: supply.NewBoard(tokens, supply.AgePolicy{}, false)}, leader: &leader{}}
	since := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	v.Board.Set(supply.Record{Token: "jade",
		Snapshot: &supply.Snapshot{Evidence: &supply.Evidence{}}, Confirmed: time.Now(),
		Failed: &supply.Failure{Reason: "providers disagree", Since: since, Times: 2}})
	const want = "measuring: measurements of jade have failed since 2026-11-01T12:00:00Z: providers disagree"
	if said := added(v.tokenProblems); !slices.Equal(said, []string{want}) {
		t.Errorf("the problems are %q", said)
	}
}

func TestReadinessReportsARealmWithoutProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		realm := pet.Realm{Key: "second"}
		x := index.New(realm, &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}},
			deadChain{}, emptyStore{}, nil)
		v := &Service{App: &App{Board: supply.NewBoard(nil, supply.AgePolicy{}, false)}, leader: &leader{},
			indexers: []*index.Indexer{x}}
		v.leader.leading.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.Run(ctx)
		time.Sleep(4 * time.Minute)
		if said := added(v.realmProblems); len(said) != 0 {
			t.Errorf("after four minutes: %q", said)
		}
		time.Sleep(2 * time.Minute)
		said := added(v.realmProblems)
		if len(said) != 1 || !strings.Contains(said[0], "realm second makes no progress") ||
			!strings.Contains(said[0], "no provider answers") {
			t.Errorf("after six minutes: %q", said)
		}
		v.leader.leading.Store(false)
		if said := added(v.realmProblems); len(said) != 0 {
			t.Errorf("an instance that does not index: %q", said)
		}
	})
}

// The message of a hold ends with the command that releases it.
func TestReadinessNamesTheCommandForAHold(t *testing.T) {
	board := supply.NewBoard([]ledger.Token{{Path: "jade", Symbol: "JADE"}}, supply.AgePolicy{}, false)
	v := &Service{App: &App{Board: board}, leader: &leader{}}
	published := &supply.Snapshot{ID: "a", Evidence: &supply.Evidence{}}
	v.Board.Set(supply.Record{Token: "jade", Snapshot: published, Confirmed: time.Now(),
		Hold: &supply.Hold{Candidate: &supply.Snapshot{ID: "b"}, Reason: "total rises"}})
	said := added(v.tokenProblems)
	if len(said) != 1 ||
		!strings.HasSuffix(said[0], "total rises; if they are right: petsupply release jade --reason WHY") {
		t.Errorf("the problems are %q", said)
	}
}
