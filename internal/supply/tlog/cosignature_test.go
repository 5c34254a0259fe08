package tlog

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// Keys and cosignatures are those of C2SP, as a program that we did not write
// makes them; with any byte altered they are none.
func TestCosignaturesOfStrangers(t *testing.T) {
	signer, err := torchwood.NewCosignatureSigner("example.org/w", ed25519.NewKeyFromSeed(bytes.Repeat([]byte{4}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	text := signer.Verifier().String()
	key, err := ParseWitnessKey(text)
	if err != nil || key.Name() != "example.org/w" || key.KeyHash() != signer.KeyHash() {
		t.Fatalf("%+v, %v", key, err)
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if _, err := ParseWitnessKey(string(b)); err == nil {
			t.Errorf("%s is taken for a key", b)
		}
	}
	log, _ := NewKey([32]byte{1}).Verifier("example.org/log")
	for _, bad := range []string{"", "a", "a+b", "a+00000000+", text + "=", log} {
		if _, err := ParseWitnessKey(bad); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}

	head := Checkpoint{Origin: "example.org/log", Size: 5, Root: Hash{1}}
	signed, err := note.Sign(&note.Note{Text: head.String()}, signer)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := Cosignatures(signed, key); err != nil || len(list) != 1 || list[0].Witness != "example.org/w" {
		t.Fatalf("%v, %v", list, err)
	}
	for i := range signed {
		b := bytes.Clone(signed)
		b[i] ^= 1
		if list, err := Cosignatures(b, key); err == nil && len(list) > 0 {
			t.Errorf("with byte %d, %q, altered it holds", i, signed[i])
		}
	}
	head.Origin = "example.org/w"
	itself, _ := note.Sign(&note.Note{Text: head.String()}, signer)
	if list, err := Cosignatures(itself, key); err == nil {
		t.Errorf("a log witnesses itself: %v", list)
	}
}
