package web

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/torchwood"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/check"
)

// Other people's programs can read a log that this program made and serves. tessera checks every
// tile and entry. torchwood reads the entries with proofs, and checks the inclusion proof in
// evidence.
func TestOtherProgramsReadTheLog(t *testing.T) {
	size := int64(700)
	if check.Soak {
		size = 100_000
	}
	k, last := servedLog(t, size)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // tessera may wait forever
	defer cancel()
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	cfg.Supply = true
	cfg.TLog = k
	srv, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(srv)
	defer server.Close()
	base, err := url.Parse(server.URL + "/supply/log/" + tlog.Address(k.Latest().VerifierKey) + "/")
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(k.Latest().VerifierKey)
	if err != nil {
		t.Fatal(err)
	}

	fetcher, err := client.NewHTTPFetcher(base, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	hashes := func(bundle []byte) (out [][]byte, _ error) {
		var b api.EntryBundle
		if err := b.UnmarshalText(bundle); err != nil {
			return nil, err
		}
		for _, e := range b.Entries {
			out = append(out, rfc6962.DefaultHasher.HashLeaf(e))
		}
		return out, nil
	}
	if err := fsck.New("example.org/log", verifier, fetcher, hashes, fsck.Opts{N: 2}).Check(ctx); err != nil {
		t.Errorf("tessera: %v", err)
	}

	tiles, err := torchwood.NewTileFetcher(base.String(), torchwood.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := torchwood.NewClient(tiles)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := tiles.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	policy := torchwood.ThresholdPolicy(2, torchwood.OriginPolicy("example.org/log"),
		torchwood.SingleVerifierPolicy(verifier))
	head, _, err := torchwood.VerifyCheckpoint(signed, policy)
	if err != nil {
		t.Fatalf("torchwood: %v", err)
	}
	n := int64(0)
	for i, entry := range reader.AllEntries(ctx, head.Tree, 0) {
		if i == head.N-1 && supply.LeafHash(entry) != last {
			t.Errorf("the last entry is %s", entry)
		}
		n++
	}
	if reader.Err() != nil || n != size+1 || head.N != n {
		t.Errorf("torchwood reads %d of %d entries, %v", n, head.N, reader.Err())
	}
	entry, proof, err := reader.Entry(ctx, head.Tree, 300)
	if err != nil || merkle.CheckRecord(proof, head.N, head.Hash, 300, merkle.RecordHash(entry)) != nil {
		t.Errorf("torchwood on entry 300: %v", err)
	}
	inclusion, err := k.Include(ctx, supply.LeafHash(entry))
	if err != nil {
		t.Fatal(err)
	}
	if err := torchwood.VerifyProof(policy, merkle.RecordHash(entry), []byte(inclusion)); err != nil {
		t.Errorf("torchwood on our inclusion proof: %v", err)
	}
}

// servedLog keeps a log of this many published snapshots, and returns the last of them.
func servedLog(t *testing.T, snapshots int64) (*tlog.Keeper, string) {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "store.db"), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if won, err := s.Campaign(t.Context(), "test", time.Hour); !won || err != nil {
		t.Fatalf("taking the lease: %v, %v", won, err)
	}
	k := tlog.NewKeeper(tlog.Config{Store: s, Key: tlog.NewKey([32]byte{3}), Origin: "example.org/log",
		Leading: func() bool { return true }, Log: slog.New(slog.DiscardHandler)})
	if err := k.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := updates(t, demo.End)[0]
	var changes []supply.Change
	var last string
	for i := range snapshots {
		n := *first.Snapshot
		n.AsOf = n.AsOf.Add(time.Duration(i) * time.Minute)
		n.MeasuredAt = n.AsOf
		last = supply.LeafHash(n.Leaf())
		record := supply.Record{Token: n.Token, Snapshot: &n, Confirmed: n.MeasuredAt}
		changes = append(changes, supply.Change{Record: record, Publishes: true})
		if len(changes) == 1000 || i == snapshots-1 {
			if _, err := s.Save(t.Context(), changes); err != nil {
				t.Fatal(err)
			}
			changes = changes[:0]
		}
	}
	if err := k.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k, last
}
