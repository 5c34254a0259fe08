package store

import (
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/webhook"
	"petsupply/testkit/check"
	"petsupply/testkit/traits"
)

func TestOneLeaderAtATime(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		a, b := open(t, url), open(t, url)
		if ok, err := a.Campaign(t.Context(), "a", time.Minute); !ok || err != nil {
			t.Fatalf("a free lease was not given: %v, %v", ok, err)
		}
		if ok, err := b.Campaign(t.Context(), "b", time.Minute); ok || err != nil {
			t.Fatalf("a held lease was given away: %v, %v", ok, err)
		}
		if ok, err := a.Campaign(t.Context(), "a", time.Minute); !ok || err != nil {
			t.Fatalf("the holder could not renew: %v, %v", ok, err)
		}
		if who, err := b.Leader(t.Context()); who != "a" || err != nil {
			t.Errorf("Leader = %q, %v; want a", who, err)
		}
		if err := a.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if who, err := b.Leader(t.Context()); who != "" || err != nil {
			t.Errorf("Leader after resigning = %q, %v; want nobody", who, err)
		}
		if ok, err := b.Campaign(t.Context(), "b", time.Minute); !ok || err != nil {
			t.Errorf("a lease that was given back was not free: %v, %v", ok, err)
		}
	})
}

// takenOver returns a store that was paused past its lease, and one that has taken the lease since.
func takenOver(t *testing.T, url string) (old, successor *Store) {
	t.Helper()
	old = open(t, url)
	if ok, err := old.Campaign(t.Context(), "old", time.Millisecond); !ok || err != nil {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	successor = open(t, url)
	check.Await(t, "the lease", func() bool {
		ok, err := successor.Campaign(t.Context(), "successor", time.Minute)
		return ok && err == nil
	})
	return old, successor
}

// A leader that was paused past its lease believes that it still leads. Its writes must fail, even
// before it asks for the lease again.
func TestPausedLeaderCannotWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old, successor := takenOver(t, url)
		err := old.fenced(t.Context(), func(tx *sql.Tx) error {
			t.Error("the old leader's transaction was begun")
			return nil
		})
		if !errors.Is(err, errNotLeader) {
			t.Errorf("fenced = %v, want errNotLeader", err)
		}
		if ok, err := old.Campaign(t.Context(), "old", time.Minute); ok || err != nil {
			t.Errorf("the old leader was let back in: %v, %v", ok, err)
		}
		if err := successor.fenced(t.Context(), func(*sql.Tx) error { return nil }); err != nil {
			t.Errorf("the successor cannot write: %v", err)
		}
	})
}

// A term is over if another process led in between, even if the lease is free again. The old holder
// must learn this and start a new term.
func TestLostTermIsReportedBeforeANewOne(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old, other := takenOver(t, url)
		if err := other.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []bool{false, true} {
			if ok, err := old.Campaign(t.Context(), "old", time.Minute); ok != want || err != nil {
				t.Errorf("Campaign = %v, %v; want %v", ok, err, want)
			}
		}
	})
}

// A successor cannot take over during a leader's transaction. It waits until the transaction is
// complete.
func TestTakeoverWaitsForAnOpenTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old, successor := open(t, url), open(t, url)
		if ok, err := old.Campaign(t.Context(), "old", 50*time.Millisecond); !ok || err != nil {
			t.Fatalf("taking the lease: %v, %v", ok, err)
		}
		inside, finish, took := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		var wrote error
		var all sync.WaitGroup
		all.Go(func() {
			wrote = old.fenced(t.Context(), func(*sql.Tx) error { close(inside); <-finish; return nil })
		})
		<-inside
		go func() {
			for {
				ok, err := successor.Campaign(t.Context(), "successor", time.Minute)
				if ok || err != nil {
					took <- err
					return
				}
			}
		}()
		select {
		case err := <-took:
			t.Errorf("the lease changed hands inside a transaction (%v)", err)
		case <-time.After(300 * time.Millisecond):
		}
		close(finish)
		all.Wait()
		if err := <-took; err != nil || wrote != nil {
			t.Errorf("takeover %v, write %v", err, wrote)
		}
	})
}

// A lease from a clock that was ahead must not leave the service without a leader until that time
// comes.
func TestLeaseFromAClockThatWentBackIsFree(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		dead, next := open(t, url), open(t, url)
		if ok, err := dead.Campaign(t.Context(), "dead", time.Minute); !ok || err != nil {
			t.Fatalf("taking the lease: %v, %v", ok, err)
		}
		for ahead, want := range map[time.Duration]bool{5 * time.Minute: false, 2 * time.Hour: true} {
			if _, err := dead.db.ExecContext(t.Context(), `UPDATE lease SET expires = `+dead.db.Clock+` + $1`,
				ahead.Milliseconds()); err != nil {
				t.Fatal(err)
			}
			ok, err := next.Campaign(t.Context(), "next", 10*time.Second)
			if ok != want || err != nil {
				t.Errorf("a lease that ends in %v: %v, %v; want %v", ahead, ok, err, want)
			}
			if err := next.Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Everything that only the leader may write is refused in a follower and in a former leader, and
// changes nothing.
func TestOnlyTheLeaderWrites(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		former := leading(t, url)
		publish(t, former, demo.Start)
		step(t, keeperOf(former, t.TempDir()))
		if err := former.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		before := contents(t, former)
		for who, s := range map[string]*Store{"a follower": open(t, url), "a former leader": former} {
			saw := batch{Registry: registry, Realm: realm("second"), At: block(1),
				Observations: []pet.Observation{see(second+1, alice, traits.V2())}}
			for what, write := range map[string]func() error{
				"figures": func() error {
					_, err := s.Save(ctx, []supply.Change{{Record: record(jewel(t, demo.End)), Publishes: true}})
					return err
				},
				"pets":       func() error { _, err := s.WritePets(ctx, saw.step()); return err },
				"indexes":    func() error { return s.IndexPets(ctx) },
				"changes":    func() error { _, err := s.PruneChanges(ctx, demo.End); return err },
				"a proof":    func() error { return s.SaveProof(ctx, "jewel", demo.End, proofDocument(1)) },
				"a log":      func() error { return s.BeginLog(ctx, "other", "key", []byte("{}")) },
				"a head":     func() error { return s.SaveCheckpoint(ctx, 1, 99, []byte("forged")) },
				"a cursor":   func() error { return s.SaveWebhookCursor(ctx, "game", webhook.Supply, webhook.Cursor{Seq: 3}) },
				"any cursor": func() error { _, err := s.EnsureWebhookCursor(ctx, "game", webhook.Supply); return err },
			} {
				if err := write(); !errors.Is(err, errNotLeader) {
					t.Errorf("%s writes %s: %v", who, what, err)
				}
			}
		}
		wantContents(t, former, before, false)
	})
}
