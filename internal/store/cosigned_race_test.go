package store

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"

	"petsupply/internal/demo"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/cosigner"
	"petsupply/testkit/postgres"
)

// Instances that share a store sign one log, and a witness cosigns it for the current leader, even
// after a leader was killed. An instance that wrongly believes that it leads publishes no
// signature.
func TestTheCurrentLeaderIsCosigned(t *testing.T) {
	url := postgres.Start(t)
	var all []*Store
	var keepers []*tlog.Keeper
	for range 3 {
		s := open(t, url)
		all, keepers = append(all, s), append(keepers, keeperOf(s, t.TempDir()))
	}
	verifier, err := keepers[0].Key.Verifier(keepers[0].Origin)
	if err != nil {
		t.Fatal(err)
	}
	w := cosigner.New(t, "witness.example.org", verifier)
	server := httptest.NewServer(w)
	defer server.Close()
	key, err := torchwood.NewCosignatureVerifier(w.Signer.Verifier().String())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		await(t, fmt.Sprint("instance ", i, " to lead"), func() bool {
			won, err := s.Campaign(t.Context(), fmt.Sprint(i), 300*time.Millisecond)
			return won && err == nil
		})
		step(t, keepers[i]) // begins or continues the log
		publish(t, s, demo.Start.Add(time.Duration(i)*time.Hour))
		step(t, keepers[i])
		ctx, kill := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = tlog.NewWitnesses(keepers[i], 10*time.Millisecond, []tlog.Witness{{URL: server.URL + "/w", Key: key}}).Run(ctx)
		}()
		for n, k := range keepers[i:] { // the earlier leaders are dead
			await(t, fmt.Sprint("a cosigned checkpoint of all leaves at instance ", i+n), func() bool {
				l := step(t, k)
				if l == nil || l.Origin != keepers[0].Origin || l.SignedSize() != l.Size || l.Size < int64(i+2) {
					return false
				}
				list, err := tlog.Cosignatures(l.Signed, key)
				return err == nil && len(list) == 1
			})
		}
		kill() // the lease is not released
		<-ended
		if i > 0 {
			if err := keepers[i-1].Step(t.Context()); err != nil && !errors.Is(err, errNotLeader) {
				t.Errorf("one that led before: %v", err)
			}
			if _, err := all[i-1].Save(t.Context(), nil); !errors.Is(err, errNotLeader) {
				t.Errorf("one that led before publishes: %v", err)
			}
		}
	}
	for _, asked := range w.Requests() {
		// With status 409 the witness tells a new leader the size that it knows.
		if !strings.HasSuffix(asked, " 200") && !strings.HasSuffix(asked, " 409") {
			t.Errorf("the witness was asked %s", asked)
		}
	}
}

// await waits for a condition.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}
