package store

import (
	"context"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/check"
	"petsupply/testkit/cosigner"
)

// witnessOf serves a witness for the log of keeperOf. The test fails if the witness sees two heads
// of one size.
func witnessOf(t *testing.T) tlog.Witness {
	t.Helper()
	verifier, err := tlog.NewKey([32]byte{1}).Verifier("example.org/log")
	if err != nil {
		t.Fatal(err)
	}
	signer := cosigner.New(t, "witness.example.org", verifier)
	server := httptest.NewServer(signer)
	t.Cleanup(func() {
		server.Close()
		if forks := signer.Forks(); len(forks) > 0 {
			t.Errorf("the witness was shown two heads of sizes %v", forks)
		}
	})
	key, err := torchwood.NewCosignatureVerifier(signer.Signer.Verifier().String())
	if err != nil {
		t.Fatal(err)
	}
	return tlog.Witness{URL: server.URL + "/w", Key: key}
}

// show sends a keeper's heads to a witness until stop is called.
func show(t *testing.T, k *tlog.Keeper, w tlog.Witness) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = tlog.NewWitnesses(k, 5*time.Millisecond, []tlog.Witness{w}).Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// witnessedKeeper returns a keeper for the log of s that has a witness.
func witnessedKeeper(s *Store, dir string) *tlog.Keeper {
	k := keeperOf(s, dir)
	k.Witnessed = true
	return k
}

// awaitSigned waits until the keeper serves a head of that size with the witness's signature.
func awaitSigned(t *testing.T, k *tlog.Keeper, w tlog.Witness, size int64) {
	t.Helper()
	check.Await(t, "a cosigned head", func() bool {
		l := step(t, k)
		list, err := tlog.Cosignatures(l.Signed, w.Key)
		return err == nil && len(list) == 1 && l.SignedSize() == size
	})
}

// After a failover a head is served only after a witness has signed it. Until then figures are
// published, and the last head stays.
func TestAHeadWaitsForAWitnessAfterAFailover(t *testing.T) {
	dir := t.TempDir()
	w := witnessOf(t)
	url := "sqlite://" + filepath.Join(dir, "store.db")
	s := leading(t, url)
	publish(t, s, demo.Start)
	before := witnessedKeeper(s, dir)
	stop := show(t, before, w)
	awaitSigned(t, before, w, 2)
	stop()

	next := takeOver(t, filepath.Join(dir, "store.db"))
	k := witnessedKeeper(next, t.TempDir())
	for i := range 3 {
		publish(t, next, demo.Start.Add(time.Duration(i+1)*time.Hour))
		if l := step(t, k); l.SignedSize() != 2 || l.Size != int64(3+i) {
			t.Errorf("before a witness signed, a head of %d of %d leaves is served", l.SignedSize(), l.Size)
		}
		words, stopped := k.Alarms()
		if got := strings.Join(words, "; "); stopped || !strings.Contains(got, "once a witness has signed it") {
			t.Errorf("the alarm is %q, stopped %v", got, stopped)
		}
	}
	stop = show(t, k, w)
	awaitSigned(t, k, w, 5)
	stop() // from here on a head needs no witness
	publish(t, next, demo.Start.Add(10*time.Hour))
	if l := step(t, k); l.SignedSize() != 6 {
		t.Errorf("a head of %d leaves is served", l.SignedSize())
	}
	if words, _ := k.Alarms(); len(words) > 0 {
		t.Errorf("an alarm is left: %q", words)
	}
}

// A promoted replica lacks the last signed leaves. Nothing that contradicts them is signed, because
// the witness knows them. A leader with the checkpoint file knows them too, and begins another log.
// A follower with the file reports the missing head.
func TestAPromotedReplicaForksNothing(t *testing.T) {
	dir := t.TempDir()
	w := witnessOf(t)
	s := leading(t, "sqlite://"+filepath.Join(dir, "store.db"))
	publish(t, s, demo.Start)
	k := witnessedKeeper(s, dir)
	show(t, k, w)
	awaitSigned(t, k, w, 2)
	replica := filepath.Join(dir, "replica.db")
	if _, err := s.db.ExecContext(t.Context(), `VACUUM INTO '`+replica+`'`); err != nil {
		t.Fatal(err)
	}
	publish(t, s, demo.Start.Add(time.Hour))
	awaitSigned(t, k, w, 3)

	promoted := takeOver(t, replica)
	unaware := witnessedKeeper(promoted, t.TempDir())
	show(t, unaware, w)
	publish(t, promoted, demo.Start.Add(2*time.Hour)) // now it has as many leaves as were signed
	check.Await(t, "the witness's word", func() bool {
		if l := step(t, unaware); l.SignedSize() != 2 {
			t.Fatalf("a fork of %d leaves is served", l.SignedSize())
		}
		_, stopped := unaware.Alarms()
		return stopped
	})
	for i := range 5 { // figures are still published
		publish(t, promoted, demo.Start.Add(time.Duration(i+3)*time.Hour))
	}
	if l := step(t, unaware); l.SignedSize() != 2 || l.Size != 8 {
		t.Errorf("a head of %d of %d leaves is served", l.SignedSize(), l.Size)
	}
	words, _ := unaware.Alarms()
	if got := strings.Join(words, "; "); !strings.Contains(got, "witness.example.org knows another log") {
		t.Errorf("the alarm is %q", got)
	}

	knows := t.TempDir()
	copyFile(t, filepath.Join(dir, "kept"), filepath.Join(knows, "kept"))
	follower := keeperOf(promoted, knows)
	follower.Leading = func() bool { return false }
	step(t, follower)
	words, stopped := follower.Alarms()
	if got := strings.Join(words, "; "); !stopped ||
		!strings.Contains(got, "the store does not hold the head of 3 leaves") {
		t.Errorf("a follower that kept the head says %q, stopped %v", got, stopped)
	}
	leader := keeperOf(promoted, knows)
	if l := step(t, leader); !strings.HasPrefix(l.Origin, "example.org/log/") {
		t.Errorf("a leader that kept the head goes on with %s", l.Origin)
	}
	step(t, follower)
	if words, _ := follower.Alarms(); len(words) > 0 {
		t.Errorf("when another log has begun, the follower says %q", words)
	}
}

// A store never has two heads of one size.
func TestAnotherHeadOfTheSameSizeIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		k := keeperOf(s, t.TempDir())
		l := step(t, k)
		other, err := k.Key.Sign(
			torchwood.Checkpoint{Origin: l.Origin, Tree: merkle.Tree{N: l.Size, Hash: merkle.Hash{1}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SaveCheckpoint(t.Context(), l.ID, l.Size, other); !errors.Is(err, tlog.ErrSigned) {
			t.Errorf("another head: %v", err)
		}
		if now, err := s.Log(t.Context(), ""); err != nil || string(now.Signed) != string(l.Signed) {
			t.Errorf("the head was replaced: %s, %v", now.Signed, err)
		}
	})
}

// The signature of a witness stays if the same head is saved again without it.
func TestASignatureOfAHeadStays(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		l := step(t, keeperOf(s, t.TempDir()))
		more := string(l.Signed) + "— witness.example.org AAAA\n"
		for _, signed := range []string{more, string(l.Signed)} {
			if err := s.SaveCheckpoint(t.Context(), l.ID, l.Size, []byte(signed)); err != nil {
				t.Fatal(err)
			}
			if now, err := s.Log(t.Context(), ""); err != nil || string(now.Signed) != more {
				t.Errorf("the checkpoint is %s, %v", now.Signed, err)
			}
		}
	})
}
