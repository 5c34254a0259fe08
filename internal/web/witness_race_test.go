package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"github.com/prometheus/client_golang/prometheus"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/check"
	"petsupply/testkit/cosigner"
)

// Witnesses see that the log grew, and their signatures are served. A witness that is down,
// refuses, or signs with another key delays nobody.
func TestSignaturesOfWitnessesAreServed(t *testing.T) {
	k, _ := servedLog(t, 300)
	first := *k.Latest()
	fresh := cosigner.New(t, "new.example.org", first.VerifierKey)
	late := cosigner.New(t, "late.example.org", first.VerifierKey)
	late.Known = treeOf(t, k, 100) // another process has shown it the log before
	liar := cosigner.New(t, "another.example.org", first.VerifierKey)
	gone := make(chan struct{})
	var list []tlog.Witness
	for name, h := range map[*cosigner.Witness]http.Handler{
		fresh: fresh, late: late,
		cosigner.New(t, "xiar.example.org", first.VerifierKey):     liar,
		cosigner.New(t, "stranger.example.org", first.VerifierKey): http.NotFoundHandler(),
		cosigner.New(t, "mute.example.org", first.VerifierKey): http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			<-gone
		}),
		cosigner.New(t, "endless.example.org",
			first.VerifierKey): http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < 1000; i++ {
				io.WriteString(w, strings.Repeat("x", 100)+"\n")
			}
		}),
	} {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		key, err := torchwood.NewCosignatureVerifier(name.Signer.Verifier().String())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, tlog.Witness{URL: server.URL + "/w/", Key: key})
	}
	t.Cleanup(func() { close(gone) }) // runs before the servers close, which would wait for it
	policy := torchwood.ThresholdPolicy(4, torchwood.OriginPolicy("example.org/log"),
		torchwood.SingleVerifierPolicy(fresh.Log), torchwood.SingleVerifierPolicy(fresh.Signer.Verifier()),
		torchwood.SingleVerifierPolicy(late.Signer.Verifier()))
	stop, outcomes := carry(t, k, list)
	size := awaitCosigned(t, k, policy, first.Size)
	publishOne(t, k, 1000)
	size = awaitCosigned(t, k, policy, size+1)
	got := fmt.Sprint(fresh.Requests(), late.Requests())
	want := fmt.Sprintf("[old 0 200 old %d 200] [old 0 409 old 100 200 old %d 200]", size-1, size-1)
	if got != want {
		t.Errorf("witnesses were asked %s, want %s", got, want)
	}
	for _, want := range []string{"new cosigned 2", "late cosigned 2", "xiar failed", "stranger failed",
		"endless failed"} {
		check.Await(t, want, func() bool { return strings.Contains(outcomes(), want) })
	}
	served := string(k.Latest().Signed)
	if n := strings.Count(served, "\n— "); n != 3 {
		t.Errorf("%d signatures are served:\n%s", n, served)
	}
	stop()

	_, outcomes = carry(t, k, list) // another process leads, and does not request existing signatures again
	publishOne(t, k, 1001)
	awaitCosigned(t, k, policy, size+1)
	got = strings.Join(fresh.Requests()[2:], ", ")
	want = fmt.Sprintf("old %d 200", size)
	if got != want && got != "old 0 409, "+want {
		t.Errorf("after a change of the leader a witness was asked %s, want %s", got, want)
	}
}

// A witness that saw another log of the same name stops the signing until it signs. Publishing
// continues.
func TestAWitnessThatKnowsAnotherLogStopsTheSigning(t *testing.T) {
	for name, known := range map[string]merkle.Tree{
		"another root": {N: 100, Hash: merkle.Hash{1}},
		"more leaves":  {N: 1000, Hash: merkle.Hash{1}},
	} {
		t.Run(name, func(t *testing.T) {
			k, _ := servedLog(t, 300)
			size := k.Latest().SignedSize()
			w := cosigner.New(t, "fooled.example.org", k.Latest().VerifierKey)
			w.Known = known
			server := httptest.NewServer(w)
			t.Cleanup(server.Close)
			key, err := torchwood.NewCosignatureVerifier(w.Signer.Verifier().String())
			if err != nil {
				t.Fatal(err)
			}
			stop, _ := carry(t, k, []tlog.Witness{{URL: server.URL + "/w/", Key: key}})
			check.Await(t, "the conflict", func() bool { _, stopped := k.Alarms(); return stopped })
			publishOne(t, k, 1000)
			if err := k.Step(t.Context()); err != nil || k.Latest().SignedSize() != size || k.Latest().Size != size+1 {
				t.Errorf("%d of %d leaves are signed, %v", k.Latest().SignedSize(), k.Latest().Size, err)
			}
			stop()
			w.Learn(treeOf(t, k, 100))
			carry(t, k, []tlog.Witness{{URL: server.URL + "/w/", Key: key}})
			check.Await(t, "signing", func() bool {
				return k.Step(t.Context()) == nil && k.Latest().SignedSize() == size+1
			})
		})
	}
}

// treeOf returns the tree of the keeper's log at an earlier size.
func treeOf(t *testing.T, k *tlog.Keeper, size int64) merkle.Tree {
	t.Helper()
	root, err := merkle.TreeHash(size, merkle.HashReaderFunc(func(indexes []int64) ([]merkle.Hash, error) {
		return k.Store.LogNodes(t.Context(), k.Latest().ID, indexes)
	}))
	if err != nil {
		t.Fatal(err)
	}
	return merkle.Tree{N: size, Hash: root}
}

// carry takes checkpoints to witnesses until it is stopped. outcomes has the results.
func carry(t *testing.T, k *tlog.Keeper, list []tlog.Witness) (stop func(), outcomes func() string) {
	w := tlog.NewWitnesses(k, 10*time.Millisecond, list)
	registry := prometheus.NewRegistry()
	registry.MustRegister(w.Collectors()...)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = w.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop, func() string {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, m := range families[0].Metric {
			if n := m.Counter.GetValue(); n > 0 { // labels come sorted: outcome, witness
				name, _, _ := strings.Cut(m.Label[1].GetValue(), ".")
				fmt.Fprintln(&b, name, m.Label[0].GetValue(), n)
			}
		}
		return b.String()
	}
}

// awaitCosigned waits until there is a checkpoint of at least that size that the policy accepts.
// It returns the size.
func awaitCosigned(t *testing.T, k *tlog.Keeper, policy torchwood.Policy, size int64) int64 {
	t.Helper()
	var head torchwood.Checkpoint
	check.Await(t, "witnesses", func() bool {
		if err := k.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		var err error
		head, _, err = torchwood.VerifyCheckpoint(k.Latest().Signed, policy)
		return err == nil && head.N >= size
	})
	return head.N
}

// publishOne publishes a snapshot, at this number of minutes after the first.
func publishOne(t *testing.T, k *tlog.Keeper, minutes int) {
	t.Helper()
	n := *updates(t, demo.End)[0].Snapshot
	n.AsOf = n.AsOf.Add(time.Duration(minutes) * time.Minute)
	n.MeasuredAt = n.AsOf
	if _, err := k.Store.(*store.Store).Save(t.Context(),
		[]supply.Change{{Record: supply.Record{Token: n.Token, Snapshot: &n, Confirmed: n.MeasuredAt},
			Publishes: true}}); err != nil {
		t.Fatal(err)
	}
}
