package tlog

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// A Key signs checkpoints of any log.
type Key struct{ seed []byte }

// NewKey makes a key from 32 secret bytes.
func NewKey(seed [ed25519.SeedSize]byte) *Key { return &Key{seed[:]} }

// ParseKey reads a key in its configured form: 32 bytes in base64.
func ParseKey(text string) (*Key, error) {
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("not a key: want 32 random bytes in base64, as openssl rand -base64 32 makes them")
	}
	return &Key{seed}, nil
}

// LoadKey reads the key in a file. If there is no file, it creates one that only its owner can
// read.
func LoadKey(file string) (*Key, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		seed := make([]byte, ed25519.SeedSize)
		_, _ = rand.Read(seed) // never fails
		err = writeFile(file, []byte(base64.StdEncoding.EncodeToString(seed)+"\n"), os.Link)
		if err == nil || errors.Is(err, fs.ErrExist) { // ErrExist: another process was first
			text, err = os.ReadFile(file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("loading the key of the log: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}

// Verifier returns the public key for checking k's signatures for an origin.
func (k *Key) Verifier(origin string) (string, error) {
	public := ed25519.NewKeyFromSeed(k.seed).Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(origin, public)
	if err != nil {
		return "", fmt.Errorf("the origin %q cannot name a log: %w", origin, err)
	}
	return key, nil
}

// Sign signs a checkpoint.
func (k *Key) Sign(c torchwood.Checkpoint) ([]byte, error) {
	verifier, err := k.Verifier(c.Origin)
	if err != nil {
		return nil, err
	}
	// A verifier key is NAME+HASH+KEY. The signer key is PRIVATE+KEY+NAME+HASH+SECRET, with the
	// same name and hash. Names and hashes never contain "+".
	hash := strings.Split(verifier, "+")[1]
	secret := base64.StdEncoding.EncodeToString(append([]byte{1}, k.seed...)) // 1: Ed25519
	signer, err := note.NewSigner("PRIVATE+KEY+" + c.Origin + "+" + hash + "+" + secret)
	if err != nil {
		return nil, fmt.Errorf("signing for %s: %w", c.Origin, err)
	}
	return note.Sign(&note.Note{Text: c.String()}, signer)
}

// CheckOrigin returns an error if a text cannot name a log.
func CheckOrigin(origin string) error {
	unfit := func(r rune) bool { return r <= ' ' || r == '+' || r > '~' }
	if origin == "" || len(origin) > 200 || strings.ContainsFunc(origin, unfit) {
		return errors.New("want up to 200 ASCII characters without spaces or +, such as supply.example.com/log")
	}
	return nil
}
