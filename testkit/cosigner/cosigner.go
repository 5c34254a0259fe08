// Package cosigner is a witness of logs for tests, as in C2SP's tlog-witness. It checks and signs
// with a library. Begin with New, and serve it.
package cosigner

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

// A Witness signs checkpoints of a log that only grows. It is served below /w.
type Witness struct {
	Signer *torchwood.CosignatureSigner
	Log    note.Verifier
	Known  merkle.Tree // the tree that it saw last; set it before the first request

	mu    sync.Mutex
	asked []string              // first line of each request, and its answer
	shown map[int64]merkle.Hash // the first root that it saw of each size
	forks []int64               // sizes for which it later saw another root
}

// New returns a witness with that name, for the log with that verifier key.
func New(t testing.TB, name, log string) *Witness {
	t.Helper()
	seed := bytes.Repeat([]byte(name[:1]), ed25519.SeedSize)
	signer, err := torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(log)
	if err != nil {
		t.Fatal(err)
	}
	return &Witness{Signer: signer, Log: verifier, shown: map[int64]merkle.Hash{}}
}

// Learn replaces the tree that the witness saw last.
func (w *Witness) Learn(known merkle.Tree) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Known = known
}

func (w *Witness) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	status, answer := w.judge(r, string(body))
	first, _, _ := strings.Cut(string(body), "\n")
	w.asked = append(w.asked, fmt.Sprint(first, " ", status))
	to.WriteHeader(status)
	io.WriteString(to, answer)
}

func (w *Witness) judge(r *http.Request, body string) (int, string) {
	head, signed, _ := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	var old int64
	if n, err := fmt.Sscanf(lines[0], "old %d", &old); n != 1 || err != nil || r.Method != http.MethodPost ||
		r.URL.Path != "/w/add-checkpoint" {
		return http.StatusBadRequest, "not a request"
	}
	n, err := note.Open([]byte(signed), note.VerifierList(w.Log))
	if err != nil || len(n.UnverifiedSigs) > 0 {
		return http.StatusForbidden, "not signed by the log alone"
	}
	c, err := torchwood.ParseCheckpoint(n.Text)
	if first, again := w.shown[c.N]; again && first != c.Hash {
		w.forks = append(w.forks, c.N)
	} else {
		w.shown[c.N] = c.Hash
	}
	switch {
	case err != nil || old > c.N:
		return http.StatusBadRequest, "no checkpoint"
	case old != w.Known.N:
		return http.StatusConflict, fmt.Sprintln(w.Known.N)
	case old == c.N && c.Hash != w.Known.Hash:
		return http.StatusConflict, "another root"
	case old > 0:
		var proof merkle.TreeProof
		for _, line := range lines[1:] {
			h, err := merkle.ParseHash(line)
			if err != nil {
				return http.StatusBadRequest, err.Error()
			}
			proof = append(proof, h)
		}
		if err := merkle.CheckTree(proof, c.N, c.Hash, old, w.Known.Hash); err != nil {
			return http.StatusUnprocessableEntity, err.Error()
		}
	case len(lines) != 1:
		return http.StatusBadRequest, "a proof from nothing"
	}
	cosigned, err := note.Sign(&note.Note{Text: n.Text}, w.Signer)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	w.Known = c.Tree
	return http.StatusOK, strings.SplitAfter(string(cosigned), "\n\n")[1]
}

// Requests returns all requests so far, each with its answer's status.
func (w *Witness) Requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// Forks returns the sizes for which it saw two different signed heads.
func (w *Witness) Forks() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.forks)
}
