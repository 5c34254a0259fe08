package audit

import (
	"bytes"
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// witness signs the head of the service's log, by a program that we did not
// write, and returns its key.
func (s *service) witness(t *testing.T, name string) *torchwood.CosignatureVerifier {
	t.Helper()
	signer, err := torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	if s.signed == nil {
		s.signed = s.checkpoint(t)
	}
	text, _, _ := strings.Cut(string(s.signed), "\n\n")
	cosigned, err := note.Sign(&note.Note{Text: text + "\n"}, signer)
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(cosigned), "\n\n")
	s.signed = append(s.signed, line...)
	key, err := torchwood.NewCosignatureVerifier(signer.Verifier().String())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestWitnessesAreCounted(t *testing.T) {
	t.Parallel()
	other := honest(t, 3).witness(t, "example.net/other") // did not sign
	for name, row := range map[string]struct {
		known  int // of the two that signed
		other  bool
		quorum int
		forge  func([]byte) []byte
		want   string // "": it holds
	}{
		"nobody's key is known": {},
		"both":                  {known: 2, quorum: 2},
		"two of three":          {known: 2, other: true, quorum: 2},
		"one is missing":        {known: 1, other: true, quorum: 2, want: "witnesses: the head of the log is signed by 1 of the 2 whose keys were given, and 2 are wanted"},
		"a forged one": {known: 2, quorum: 1, want: "witnesses: cosignatures of the checkpoint", forge: func(signed []byte) []byte {
			at := len(signed) - 12 // stays base64
			if signed[at] == 'B' {
				signed[at] = 'C'
			} else {
				signed[at] = 'B'
			}
			return signed
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 3)
			signed := []*torchwood.CosignatureVerifier{s.witness(t, "example.org/one"), s.witness(t, "example.org/two")}
			s.keys, s.quorum = signed[:row.known:row.known], row.quorum
			if row.other {
				s.keys = append(s.keys, other)
			}
			if row.forge != nil {
				s.signed = row.forge(s.signed)
			}
			r, err := s.run(t, nil)
			switch {
			case row.want != "":
				if err == nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("%v, want %s", err, row.want)
				}
			case err != nil || r.Witnesses != 2 || len(r.Cosigned) != row.known:
				t.Errorf("%+v, %v", r, err)
			case row.known > 0 && (r.Cosigned[0].Witness != "example.org/one" || time.Since(r.Cosigned[0].Time).Abs() > time.Minute):
				t.Errorf("%+v", r.Cosigned[0])
			}
		})
	}
}
