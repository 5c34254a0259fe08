package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/testkit/contracts"
)

// These tests run a directory on a store that indexers fill.

// directory opens a directory on the archive and runs it during the test.
func (a *archive) directory(t *testing.T) *directory.Directory {
	t.Helper()
	d := directory.New(directory.Config{Registry: realmsOf(a.k.realms...), Reader: a.Store, Feed: a.Store,
		Poll: 20 * time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { d.Run(ctx) })
	t.Cleanup(func() { stop(); done.Wait() })
	return d
}

// A pet that the store lacks is not found only if every realm was read lately.
func TestDirectoryKnowsWhatDoesNotExist(t *testing.T) {
	k := found(t, "latest",
		contracts.Options{Version: 1, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(int64(band))},
		contracts.Options{Version: 2, Offset: big.NewInt(int64(2 * band)), Relative: true})
	a := k.index(t)
	d := a.directory(t)
	k.lands[1].do(t, "hatch", alice, num(5), num(1))
	k.bridge(t, band+2, 1, 2)
	k.lands[1].do(t, "send", num(band+3), num(1))
	unread := func(ids ...uint64) {
		t.Helper()
		for _, id := range ids {
			if _, err := d.Pet(t.Context(), id); !errors.Is(err, pet.ErrUnavailable) ||
				errors.Is(err, pet.ErrNotFound) {
				t.Errorf("pet %d: %v", id, err)
			}
		}
	}
	unread(1, band+1, band+9)
	a.settle(t, a.indexers[1])
	unread(1)
	if _, err := d.Pet(t.Context(), band+9); !errors.Is(err, pet.ErrNotFound) {
		t.Errorf("an id that its home never assigned: %v", err)
	}
	a.catchUp(t)
	p, err := d.Pet(t.Context(), band+1)
	if err != nil || p.Realm != "second" || p.Owner != alice || p.InTransit {
		t.Fatalf("a pet at home: %+v, %v", p, err)
	}
	if p, err = d.Pet(t.Context(), band+2); err != nil || p.Realm != "third" || p.Owner != bob {
		t.Errorf("a pet abroad: %+v, %v", p, err)
	}
	if p, err = d.Pet(t.Context(), band+3); err != nil || !p.InTransit {
		t.Errorf("a pet on its way: %+v, %v", p, err)
	}
	for _, id := range []uint64{0, 1, band, band + 6, 2*band + 1, 5 * band} {
		if _, err := d.Pet(t.Context(), id); !errors.Is(err, pet.ErrNotFound) {
			t.Errorf("pet %d: %v", id, err)
		}
	}
	found, err := d.Pets(t.Context(), []uint64{band + 5, band + 9, band + 1, band + 5, 9 * band})
	if err != nil || len(found) != 5 {
		t.Fatalf("want 5 results, got %+v, %v", found, err)
	}
	for i, want := range []error{nil, pet.ErrNotFound, nil, nil, pet.ErrNotFound} {
		if f := found[i]; !errors.Is(f.Err, want) || f.Err == nil && f.Pet.ID != f.ID {
			t.Errorf("result %d is %+v", i, f)
		}
	}
	a.want(t, k.lands[2], band+9) // an event named it
	a.want(t, k.lands[1], band+9)
	unread(band + 9)
	a.Store.Now = func() time.Time { return time.Now().Add(2 * time.Minute) }
	unread(band+6, 2*band+1)
	if _, err := d.Pet(t.Context(), band+6); !strings.Contains(err.Error(), "has not answered for 2m") {
		t.Errorf("when chains have not answered for two minutes: %v", err)
	}
}

func TestDirectoryNoticesChanges(t *testing.T) {
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0)})
	k.lands[0].do(t, "hatch", alice, num(5), num(1))
	a := k.index(t)
	a.catchUp(t)
	d := a.directory(t)
	told := make(chan []uint64, 10)
	d.Subscribe(func(ids []uint64) { told <- ids })
	for i := range 5 {
		name := fmt.Sprint("name ", i)
		if _, err := d.Pet(t.Context(), 3); err != nil { // so that it is in memory
			t.Fatal(err)
		}
		k.lands[0].do(t, "rename", num(3), name)
		a.catchUp(t)
		select {
		case ids := <-told:
			if len(ids) != 1 || ids[0] != 3 {
				t.Fatalf("told of %v", ids)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("no subscriber was called")
		}
		if p, err := d.Pet(t.Context(), 3); err != nil || p.Name != name {
			t.Fatalf("after %q the directory says %q, %v", name, p.Name, err)
		}
	}
	history, err := d.History(t.Context(), 3)
	if err != nil || len(history) != 5 ||
		history[4].Fields[0] != (pet.Delta{Field: "name", From: "name 3", To: "name 4"}) {
		t.Errorf("history: %+v, %v", history, err)
	}
}
