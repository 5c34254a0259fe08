package store

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// keeperOf returns a keeper of the log of s that acts as leader, with its file in dir.
func keeperOf(s *Store, dir string) *tlog.Keeper {
	return tlog.NewKeeper(tlog.Config{Store: s, Key: tlog.NewKey([32]byte{1}), Origin: "example.org/log",
		File:    filepath.Join(dir, "kept"),
		Leading: func() bool { return s.epoch.Load() != 0 }, Log: slog.New(slog.DiscardHandler)})
}

// publish publishes jewel's figures as of a time.
func publish(t testing.TB, s *Store, at time.Time) *supply.Snapshot {
	t.Helper()
	n := jewel(t, at)
	saved(t, s, supply.Change{Record: record(n), Publishes: true})
	return n
}

func step(t testing.TB, k *tlog.Keeper) *tlog.Log {
	t.Helper()
	if err := k.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k.Latest()
}

// leavesOf reads a whole log by its tiles.
func leavesOf(t testing.TB, k *tlog.Keeper, l *tlog.Log) (out [][]byte) {
	t.Helper()
	c, err := tlog.OpenCheckpoint(l.Signed, l.VerifierKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, tile := range merkle.NewTiles(torchwood.TileHeight, 0, c.N) {
		if tile.L > 0 {
			continue
		}
		tile.L = tlog.Entries
		bundle, err := k.Tile(t.Context(), l, tile)
		for range tile.W {
			var leaf []byte
			if err == nil {
				leaf, bundle, err = torchwood.ReadTileEntry(bundle)
			}
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, leaf)
		}
		if len(bundle) > 0 {
			t.Fatalf("%d bytes follow %d entries", len(bundle), tile.W)
		}
	}
	return out
}

// leaves reads the whole log by its tiles, and checks every inclusion.
func leaves(t testing.TB, k *tlog.Keeper) [][]byte {
	t.Helper()
	out := leavesOf(t, k, k.Latest())
	for i, leaf := range out {
		text, err := k.Include(t.Context(), supply.LeafHash(leaf))
		if err != nil {
			t.Fatalf("leaf %d: %v", i, err)
		}
		index, _, err := tlog.CheckInclusion(text, merkle.RecordHash(leaf), k.Latest().VerifierKey)
		if err != nil || index != int64(i) {
			t.Fatalf("leaf %d is proven at %d: %v", i, index, err)
		}
	}
	return out
}

func TestEverythingPublishedIsLoggedInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		before := publish(t, s, demo.Start) // in a store without a log
		k := keeperOf(s, t.TempDir())
		l := step(t, k)
		if l.Origin != "example.org/log" {
			t.Errorf("the log is %q", l.Origin)
		}
		n := jewel(t, demo.Start.Add(time.Hour))
		ledger := demo.Tokens()[0].CurrentLedger()
		ledger.Since = &n.MeasuredAt
		saved(t, s, supply.Change{Record: record(n), Publishes: true, Ledger: &ledger, Decided: []supply.Decision{
			{ID: "1", Kind: supply.Right, Token: "jewel", Subject: n.ID, Reason: "a \"good\" <reason>",
				Granted: true}, {ID: "2", Kind: supply.Right, Token: "jewel", Reason: "void"}}})
		saved(t, s, supply.Change{Record: record(n)}) // a confirmation publishes nothing new
		var more []supply.Change
		for i := range 260 {
			next := *n
			next.MeasuredAt = n.MeasuredAt.Add(time.Duration(i+1) * time.Minute)
			more = append(more, supply.Change{Record: record(&next), Publishes: true})
		}
		saved(t, s, more...)
		if _, err := k.Include(t.Context(), n.ID); !errors.Is(err, tlog.ErrNone) {
			t.Errorf("an unsigned leaf is proven: %v", err)
		}
		step(t, k)
		got := leaves(t, k)
		if len(got) != 265 {
			t.Fatalf("%d leaves", len(got))
		}
		for i, want := range []string{`{"format":"petsupply-log/1","origin":"example.org/log",`,
			string(before.Leaf()), `{"format":"petsupply-ledger/1","token":"jewel","ledger":"` + ledger.Hash,
			`{"format":"petsupply-decision/1","token":"jewel","kind":"right","subject":"` + n.ID +
				`","reason":"a \"good\" <reason>"`, string(n.Leaf())} {
			if !strings.HasPrefix(string(got[i]), want) {
				t.Errorf("leaf %d is %s, want %s", i, got[i], want)
			}
		}
		follower := tlog.NewKeeper(tlog.Config{Store: open(t, url), Leading: func() bool { return false },
			Log: slog.New(slog.DiscardHandler)})
		if seen := step(t, follower); !bytes.Equal(seen.Signed, k.Latest().Signed) {
			t.Errorf("another process sees %q", seen.Signed)
		}
		for _, tile := range []merkle.Tile{
			{H: 8, L: 0, N: 1, W: 10}, {H: 8, L: 1, N: 0, W: 2}, {H: 8, L: 2, N: 0, W: 1},
			{H: 8, L: 7, N: 999999999999, W: 256},
			{H: 8, L: 0, N: 1 << 56, W: 1}, {H: 8, L: math.MaxInt, N: 0, W: 1},
		} {
			if _, err := k.Tile(t.Context(), k.Latest(), tile); !errors.Is(err, tlog.ErrNone) {
				t.Errorf("%s, which is not there: %v", tile.Path(), err)
			}
		}
	})
}

func TestFailedWritesAreNotLogged(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		k := keeperOf(s, t.TempDir())
		size := step(t, k).Size
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n := jewel(t, demo.End)
		if _, err := s.Save(ctx, []supply.Change{{Record: record(n), Publishes: true}}); err == nil {
			t.Fatal("a cancelled write took place")
		}
		bad := record(jewel(t, demo.End))
		if _, err := s.Save(t.Context(),
			[]supply.Change{{Record: record(n), Publishes: true},
				{Record: bad, Publishes: true, Ledger: &ledger.Version{Since: new(time.Time)},
					Decided: []supply.Decision{
						{Granted: true, Token: strings.Repeat("x", 1<<16)}}}}); err == nil {
			t.Error("a leaf that is too long was accepted")
		}
		if got := step(t, k).Size; got != size {
			t.Errorf("the log went from %d to %d", size, got)
		}
		if points, err := s.History(t.Context(), "jewel", demo.Start, demo.End, 10); len(points) != 0 || err != nil {
			t.Errorf("%d rows were stored, %v", len(points), err)
		}
	})
}

// A snapshot of an ended log is proven to be in that log.
func TestASnapshotOfAnEndedLogIsProven(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		k := keeperOf(s, t.TempDir())
		step(t, k)
		first, last := publish(t, s, demo.Start), publish(t, s, demo.Start.Add(time.Hour))
		ended := step(t, k)
		next := keeperOf(s, t.TempDir())
		next.Key = tlog.NewKey([32]byte{2})
		current := step(t, next)
		for what, test := range map[string]struct {
			of *supply.Snapshot
			in *tlog.Log
		}{"one that the new log does not have": {first, ended}, "one that it repeats": {last, current}} {
			text, err := next.Include(t.Context(), test.of.ID)
			if err == nil {
				_, _, err = tlog.CheckInclusion(text, merkle.RecordHash(test.of.Leaf()), test.in.VerifierKey)
			}
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// A store that is lost or restored from a backup never signs a smaller tree, nor a different tree
// with the same name.
func TestARestoredStoreBeginsALogThatNamesTheOldHead(t *testing.T) {
	dir := t.TempDir()
	file, backup := filepath.Join(dir, "store.db"), filepath.Join(dir, "backup.db")
	s := leading(t, "sqlite://"+file)
	k := keeperOf(s, dir)
	publish(t, s, demo.Start)
	step(t, k)
	if _, err := s.db.ExecContext(t.Context(), `VACUUM INTO '`+backup+`'`); err != nil {
		t.Fatal(err)
	}
	publish(t, s, demo.Start.Add(time.Hour))
	head, err := tlog.ParseCheckpoint(step(t, k).Signed)
	if err != nil {
		t.Fatal(err)
	}
	address := tlog.Address(k.Latest().VerifierKey)
	// restored, and extended beyond the old size by an instance that did not know
	grown := filepath.Join(dir, "grown.db")
	copyFile(t, backup, grown)
	g := takeOver(t, grown)
	for i := range 5 {
		publish(t, g, demo.Start.Add(time.Duration(i+2)*time.Hour))
	}
	for name, url := range map[string]string{"older": backup, "grown": grown, "lost": filepath.Join(dir, "lost.db")} {
		t.Run(name, func(t *testing.T) {
			kept := t.TempDir()
			copyFile(t, filepath.Join(dir, "kept"), filepath.Join(kept, "kept"))
			r := g
			if name != "grown" {
				r = takeOver(t, url)
			}
			k := keeperOf(r, kept)
			l := step(t, k)
			if l.Origin == head.Origin || !strings.HasPrefix(l.Origin, "example.org/log/") {
				t.Errorf("the log is %q", l.Origin)
			}
			first := string(leaves(t, k)[0])
			if want := `"previous":{"origin":"example.org/log","log":"` + address + `","size":3,"root":"` +
				head.Hash.String() + `"}`; !strings.Contains(first, want) {
				t.Errorf("the first leaf is %s, want %s", first, want)
			}
			stays := map[string]int{"older": 2, "grown": 2, "lost": 0}[name] // signed leaves that are still stored
			old, err := k.Find(t.Context(), address)
			switch {
			case stays == 0 && !errors.Is(err, tlog.ErrNone):
				t.Errorf("the log that was lost is found: %v", err)
			case stays > 0 && (err != nil || len(leavesOf(t, k, old)) != stays):
				t.Errorf("the old log has %+v, %v, want %d leaves", old, err, stays)
			}
			publish(t, r, demo.Start.Add(100*time.Hour))
			if again := step(t, k); again.Origin != l.Origin || again.Size != l.Size+1 {
				t.Errorf("then the log is %s with %d, was %s with %d", again.Origin, again.Size, l.Origin, l.Size)
			}
			// Another instance, which knew less, continues the log.
			if again := step(t, keeperOf(r, kept)); again.Origin != l.Origin {
				t.Errorf("after a restart the log is %s", again.Origin)
			}
			less := t.TempDir()
			signed, _ := tlog.NewKey([32]byte{1}).Sign(torchwood.Checkpoint{Origin: head.Origin,
				Tree: merkle.Tree{N: 2, Hash: merkle.Hash{9}}})
			if err := os.WriteFile(filepath.Join(less, "kept"), signed, 0o600); err != nil {
				t.Fatal(err)
			}
			if again := step(t, keeperOf(r, less)); again.Origin != l.Origin {
				t.Errorf("one that knew less began %s", again.Origin)
			}
		})
	}
}

func TestAnotherKeyOrOriginBeginsALog(t *testing.T) {
	dir := t.TempDir()
	s := leading(t, "sqlite://"+filepath.Join(dir, "store.db"))
	publish(t, s, demo.Start)
	before := keeperOf(s, dir)
	first := step(t, before)
	had := leaves(t, before)
	address := tlog.Address(first.VerifierKey)
	k := keeperOf(s, dir)
	k.Key = tlog.NewKey([32]byte{2})
	second := step(t, k)
	if second.Origin == first.Origin ||
		!strings.Contains(string(leaves(t, k)[0]),
			`"previous":{"origin":"example.org/log","log":"`+address+`","size":2,`) {
		t.Errorf("with another key the log is %s, whose first leaf is %s", second.Origin, leaves(t, k)[0])
	}
	// The log that ended is still at its address.
	old, err := k.Find(t.Context(), address)
	if err != nil || !bytes.Equal(old.Signed, first.Signed) ||
		!slices.EqualFunc(leavesOf(t, k, old), had, bytes.Equal) {
		t.Errorf("the log that ended is %+v, %v", old, err)
	}
	for name, want := range map[string]*tlog.Log{"": second, tlog.Address(second.VerifierKey): second,
		"00000000": nil, "x": nil, "%": nil} {
		got, err := k.Find(t.Context(), name)
		if want == nil && !errors.Is(err, tlog.ErrNone) || want != nil && (err != nil || got.Origin != want.Origin) {
			t.Errorf("at %q: %+v, %v", name, got, err)
		}
	}
	k.Origin, k.Fixed = "example.net/log", true
	publish(t, s, demo.End) // so that the step has something to do
	if third := step(t, k); third.Origin != "example.net/log" {
		t.Errorf("with another origin the log is %s", third.Origin)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "kept"), []byte("half a checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keeperOf(s, broken).Step(t.Context()); err == nil {
		t.Error("a head was signed although the last signed head is unknown")
	}
}

// takeOver opens a copy of a store and becomes its leader.
func takeOver(t *testing.T, file string) *Store {
	t.Helper()
	s := open(t, "sqlite://"+file)
	if _, err := s.db.ExecContext(t.Context(), `UPDATE lease SET expires = 0`); err != nil {
		t.Fatal(err)
	}
	return leading(t, "sqlite://"+file)
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
