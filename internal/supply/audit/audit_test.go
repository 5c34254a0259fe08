package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// A service serves a log of leaves, which a test forges as it likes.
type service struct {
	key    *tlog.Key
	leaves [][]byte            // as the tree has them
	served map[int64][]byte    // as they are served instead
	signed []byte              // the checkpoint, if not of all leaves
	newest []supply.Document   // what is served now
	proofs []*supply.Evidence  // of the newest
	tile   func([]byte) []byte // alters tiles of hashes
	asked  int
	keys   []*torchwood.CosignatureVerifier // that the auditor knows
	quorum int

	recorded map[string][]byte // keeps what was answered, by path; nil: nothing does
}

const origin = "example.org/log"

func init() { catchUpPause = time.Millisecond }

// hashes is the tree of the leaves.
func (s *service) hashes(t testing.TB) (reader merkle.HashReader, root merkle.Hash) {
	var stored []merkle.Hash
	reader = merkle.HashReaderFunc(func(indexes []int64) (out []merkle.Hash, _ error) {
		for _, i := range indexes {
			out = append(out, stored[i])
		}
		return out, nil
	})
	for i, leaf := range s.leaves {
		more, err := merkle.StoredHashes(int64(i), leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
	}
	root, err := merkle.TreeHash(int64(len(s.leaves)), reader)
	if err != nil {
		t.Fatal(err)
	}
	return reader, root
}

func (s *service) checkpoint(t testing.TB) []byte {
	t.Helper()
	_, root := s.hashes(t)
	signed, err := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: int64(len(s.leaves)), Hash: root}})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// run audits the service as it stands.
func (s *service) run(t testing.TB, since []byte) (Report, error) {
	t.Helper()
	reader, root := s.hashes(t)
	signed := s.signed
	if signed == nil {
		signed = s.checkpoint(t)
	}
	verifier, _ := s.key.Verifier(origin)
	for _, ev := range s.proofs {
		for i, leaf := range s.leaves {
			if supply.LeafHash(leaf) == ev.Snapshot {
				hashes, err := merkle.ProveRecord(int64(len(s.leaves)), int64(i), reader)
				if err != nil {
					t.Fatal(err)
				}
				whole, _ := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: int64(len(s.leaves)), Hash: root}})
				ev.Inclusion = string(torchwood.FormatProof(int64(i), hashes, whole))
			}
		}
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked++
		path := strings.TrimPrefix(r.URL.Path, "/log/")
		switch {
		case path == "key":
			fmt.Fprintln(w, verifier)
		case path == "checkpoint":
			w.Write(signed)
		case strings.HasPrefix(path, "tile/"):
			s.serveTile(w, path, reader)
		case r.URL.Path == "/":
			json.NewEncoder(w).Encode(s.newest)
		case strings.HasSuffix(path, "/evidence"):
			for _, ev := range s.proofs {
				if path == "/"+ev.Token+"/evidence" {
					json.NewEncoder(w).Encode(ev)
				}
			}
		default:
			http.NotFound(w, r)
		}
	})
	server := httptest.NewServer(h)
	defer server.Close()
	client := server.Client()
	if s.recorded != nil {
		client.Transport = &recorder{client.Transport, s.recorded}
	}
	return Run(t.Context(), Config{URL: server.URL + "/", Since: since, Client: client, Witnesses: s.keys, Quorum: s.quorum})
}

func (s *service) serveTile(w http.ResponseWriter, path string, reader merkle.HashReader) {
	t, err := torchwood.ParseTilePath(path)
	first := t.N * torchwood.TileWidth
	if err != nil || first+int64(t.W) > int64(len(s.leaves)) {
		http.Error(w, "no such tile", http.StatusNotFound)
		return
	}
	var body []byte
	if t.L == tlog.Entries {
		for i := range int64(t.W) {
			leaf, ok := s.served[first+i]
			if !ok {
				leaf = s.leaves[first+i]
			}
			body, _ = torchwood.AppendTileEntry(body, leaf)
		}
	} else {
		body, _ = merkle.ReadTileData(t, reader)
		if s.tile != nil {
			body = s.tile(body)
		}
	}
	w.Write(body)
}

// honest is a service that published jewel's figures so many times.
func honest(t testing.TB, times int) *service {
	t.Helper()
	s := &service{key: tlog.NewKey([32]byte{5}), served: map[int64][]byte{}}
	s.leaves = append(s.leaves, tlog.Begin{Origin: origin, Begun: demo.Start}.Leaf(),
		tlog.LedgerVersion{Token: "jewel", Ledger: "l", Since: demo.Start}.Leaf(), tlog.Decision{Token: "jewel", Kind: "release", Reason: "r", At: demo.Start}.Leaf())
	token := demo.Tokens()[0]
	base := supply.Measure(t.Context(), []ledger.Token{token}, demo.Chains(demo.Start), demo.Start)[0]
	if base.Err != nil {
		t.Fatal(base.Err)
	}
	var record supply.Record
	for i := range times {
		s.publish(t, &record, &token, base.Snapshot, time.Duration(i)*time.Hour)
	}
	return s
}

// publish adds a snapshot that was measured after a time.
func (s *service) publish(t testing.TB, record *supply.Record, token *ledger.Token, base *supply.Snapshot, after time.Duration) {
	t.Helper()
	ev := *base.Evidence
	ev.MeasuredAt = base.MeasuredAt.Add(after)
	ev.Previous = ""
	if record.Snapshot != nil {
		ev.Previous = record.Snapshot.ID
	}
	n := *base
	n.Evidence, n.MeasuredAt = &ev, ev.MeasuredAt
	n.ID = supply.LeafHash(n.Leaf())
	ev.Snapshot = n.ID
	record.Snapshot = &n
	s.leaves = append(s.leaves, n.Leaf())
	s.newest = []supply.Document{{Symbol: token.Symbol, Snapshot: &n.ID, Total: &n.Total, Circulating: &n.Circulating}}
	s.proofs = []*supply.Evidence{&ev}
}

func TestAnHonestLogHolds(t *testing.T) {
	s := honest(t, 300)
	kept := s.checkpoint(t)
	r, err := s.run(t, nil)
	if err != nil || r.Size != 303 || r.Leaves[tlog.SnapshotFormat] != 300 || len(r.Served) != 1 || r.KeyGiven {
		t.Fatalf("%+v, %v", r, err)
	}
	s.asked = 0
	if r, err = s.run(t, kept); err != nil || r.From != 303 || len(r.Served) != 1 || s.asked > 10 {
		t.Errorf("from the end on, after %d requests: %+v, %v", s.asked, r, err)
	}
	early := honest(t, 10).checkpoint(t)
	if r, err = s.run(t, early); err != nil || r.From != 13 || r.Leaves[tlog.SnapshotFormat] != 290 {
		t.Errorf("from leaf 13 on: %+v, %v", r, err)
	}
	s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: "correct", Subject: *s.newest[0].Snapshot, Reason: "wrong"}.Leaf())
	if r, err = s.run(t, kept); err != nil || r.Leaves["petsupply-decision/1"] != 1 || len(r.Served) != 1 {
		t.Errorf("with a correction: %+v, %v", r, err)
	}
}

// Whatever is forged is named.
func TestForgeriesAreNamed(t *testing.T) {
	other := tlog.Decision{Token: "jewel", Kind: "release", Reason: "another", At: demo.Start}.Leaf()
	for name, row := range map[string]struct {
		forge func(t *testing.T, s *service) (since []byte)
		want  string
	}{
		"a leaf is served otherwise": {func(_ *testing.T, s *service) []byte { s.served[7] = s.leaves[8]; return nil }, "leaf 7: it was rewritten"},
		"a leaf was rewritten": {func(t *testing.T, s *service) []byte {
			kept := s.checkpoint(t)
			s.leaves[2] = other
			return kept
		}, "consistency: the log was forked or rewritten"},
		"a leaf was taken away": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves[:5:5], s.leaves[6:]...)
			return nil
		}, "leaf 5: it says that it follows"},
		"two leaves were swapped": {func(t *testing.T, s *service) []byte {
			s.leaves[5], s.leaves[6] = s.leaves[6], s.leaves[5]
			return nil
		}, "leaf 5: it says that it follows"},
		"a leaf was invented": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves, []byte(`{"format":"petsupply-fancy/1"}`))
			return nil
		}, "leaf 13: of no kind that is known"},
		"a snapshot was invented": {func(t *testing.T, s *service) []byte {
			old := s.newest
			leaf := strings.Replace(string(s.leaves[12]), `"measuredAt":"2026-07-04T`, `"measuredAt":"2026-07-05T`, 1)
			leaf = leaf[:strings.LastIndex(leaf, `"previous":"`)] + `"previous":"` + *old[0].Snapshot + `"}`
			s.leaves = append(s.leaves, []byte(leaf))
			return nil
		}, "JEWEL: what is served now is snapshot"},
		"bytes that are not those of their content": {func(t *testing.T, s *service) []byte {
			s.leaves[2] = append(s.leaves[2], ' ')
			return nil
		}, "leaf 2: its bytes are not"},
		"another beginning": {func(t *testing.T, s *service) []byte {
			s.leaves[0] = tlog.Begin{Origin: "example.net", Begun: demo.Start}.Leaf()
			return nil
		}, "leaf 0: it begins the log"},
		"two beginnings": {func(t *testing.T, s *service) []byte { s.leaves[2] = s.leaves[0]; return nil }, "leaf 2: a log begins"},
		"an unsigned checkpoint": {func(t *testing.T, s *service) []byte {
			s.signed = []byte(strings.Split(string(s.checkpoint(t)), "\n\n")[0] + "\n\n")
			return nil
		}, "checkpoint: the checkpoint is not signed"},
		"a checkpoint of a stranger": {func(t *testing.T, s *service) []byte {
			c, _ := tlog.ParseCheckpoint(s.checkpoint(t))
			s.signed, _ = tlog.NewKey([32]byte{6}).Sign(c)
			return nil
		}, "checkpoint: the checkpoint is not signed"},
		"an older checkpoint": {func(t *testing.T, s *service) []byte {
			kept := s.checkpoint(t)
			s.signed = honest(t, 5).checkpoint(t)
			return kept
		}, "checkpoint: it is older than the one before: its size is 8"},
		"a forked log": {func(t *testing.T, s *service) []byte {
			fork := honest(t, 12)
			fork.leaves[2] = other
			return fork.checkpoint(t)[:len(fork.checkpoint(t))]
		}, "checkpoint: it is older"},
		"a fork that is longer": {func(t *testing.T, s *service) []byte {
			fork := honest(t, 4)
			fork.leaves[2] = other
			return fork.checkpoint(t)
		}, "consistency: the log was forked"},
		"another figure is served": {func(t *testing.T, s *service) []byte {
			wrong := s.newest[0].Total.Add(*s.newest[0].Total)
			s.newest[0].Total = &wrong
			return nil
		}, "jewel: the figures that are served are not those of leaf 12"},
		"other evidence is served": {func(t *testing.T, s *service) []byte { s.proofs[0].Symbol = "FAKE"; return nil }, "jewel: its evidence: snapshot: its id is"},
		"tiles are altered": {func(t *testing.T, s *service) []byte {
			s.tile = func(b []byte) []byte { b[40] ^= 1; return b }
			return nil
		}, "do not lead to the root"},
		"tiles are short": {func(t *testing.T, s *service) []byte {
			s.tile = func(b []byte) []byte { return b[:len(b)-1] }
			return nil
		}, "bytes, not"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 10)
			_, err := s.run(t, row.forge(t, s))
			if err == nil || !errors.As(err, new(*Fault)) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}
