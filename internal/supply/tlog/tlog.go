// Package tlog is the append-only log of what was published: a Merkle tree whose
// head is signed, served in the formats of C2SP (tlog-tiles, tlog-checkpoint,
// tlog-proof), so that nobody has to take our word, or our programs, for it.
//
// Leaves are what is logged (leaf.go); a Checkpoint is the signed head, a Tile a
// piece of the tree as it is served, an inclusion proof shows that a leaf is
// below a checkpoint. A Keeper looks after the log of a store: it begins one,
// signs it while this process leads, and never signs less than it has signed.
// The hashing is that of golang.org/x/mod/sumdb/tlog.
package tlog

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

// Hash is a node of the tree: SHA-256, as RFC 6962 defines it.
type Hash = merkle.Hash

// maxCheckpoint bounds a signed checkpoint that is read, cosignatures included.
const maxCheckpoint = 64 << 10

// maxSize bounds the leaves of a log that is read: no log has so many, and what
// counts the nodes of a tree does not end for sizes near the largest number.
const maxSize = 1 << 48

// A Checkpoint is the head of a log at one size.
type Checkpoint struct {
	Origin string // names the log
	Size   int64
	Root   Hash
}

// String is the text that is signed.
func (c Checkpoint) String() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, c.Root)
}

// parseCheckpoint reads the text of a checkpoint. Lines after its third are
// extensions, which nobody here has a use for.
func parseCheckpoint(text string) (c Checkpoint, err error) {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) != 4 || lines[0] == "" {
		return c, errors.New("not a checkpoint: it wants an origin, a size and a root, each on a line")
	}
	c.Origin = lines[0]
	if c.Size, err = parseNumber(lines[1]); err != nil {
		return c, fmt.Errorf("size of the checkpoint: %w", err)
	}
	if c.Size > maxSize {
		return c, fmt.Errorf("size of the checkpoint: no log has %d leaves", c.Size)
	}
	if c.Root, err = parseHash(lines[2]); err != nil {
		return c, fmt.Errorf("root of the checkpoint: %w", err)
	}
	return c, nil
}

// parseNumber reads a number as it is written here: decimal, without sign or
// leading zero.
func parseNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != s {
		return 0, fmt.Errorf("%.40q is not a number without sign or leading zero", s)
	}
	return n, nil
}

// parseHash reads a hash in the one base64 that it has.
func parseHash(s string) (Hash, error) {
	var h Hash
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != len(h) || base64.StdEncoding.EncodeToString(b) != s {
		return h, fmt.Errorf("%.60q is not a hash in base64", s)
	}
	copy(h[:], b)
	return h, nil
}

// ParseCheckpoint reads a signed checkpoint without looking at its signatures.
func ParseCheckpoint(signed []byte) (Checkpoint, error) {
	text, _, ok := bytes.Cut(signed, []byte("\n\n"))
	if !ok || len(signed) > maxCheckpoint {
		return Checkpoint{}, errors.New("not a signed checkpoint")
	}
	return parseCheckpoint(string(text) + "\n")
}

// OpenCheckpoint reads a signed checkpoint, which must be of the log that the
// verifier key names, and signed by it.
func OpenCheckpoint(signed []byte, verifierKey string) (Checkpoint, error) {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("the verifier key is not one: %w", err)
	}
	if len(signed) > maxCheckpoint {
		return Checkpoint{}, errors.New("not a checkpoint: too long")
	}
	n, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("the checkpoint is not signed by %s: %w", verifier.Name(), err)
	}
	c, err := parseCheckpoint(n.Text)
	if err == nil && c.Origin != verifier.Name() {
		err = fmt.Errorf("the checkpoint is of the log %q, the key of %q", c.Origin, verifier.Name())
	}
	return c, err
}

// A Key signs checkpoints, of whatever log.
type Key struct{ seed []byte }

// ParseKey reads a key as it is configured and kept: 32 bytes in base64.
func ParseKey(text string) (*Key, error) {
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("a key is 32 random bytes in base64, as openssl rand -base64 32 makes them")
	}
	return &Key{seed}, nil
}

// NewKey makes a key of 32 secret bytes.
func NewKey(seed [ed25519.SeedSize]byte) *Key { return &Key{seed[:]} }

// Verifier is the key by which anyone can check what k signs for an origin.
func (k *Key) Verifier(origin string) (string, error) {
	public := ed25519.NewKeyFromSeed(k.seed).Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(origin, public)
	if err != nil {
		return "", fmt.Errorf("the origin %q cannot name a log: %w", origin, err)
	}
	return key, nil
}

// Sign signs a checkpoint.
func (k *Key) Sign(c Checkpoint) ([]byte, error) {
	verifier, err := k.Verifier(c.Origin)
	if err != nil {
		return nil, err
	}
	// Of the verifier key, NAME+HASH+KEY, only the last part differs. The hash of a
	// key has no "+", nor has a name.
	hash := strings.Split(verifier, "+")[1]
	secret := base64.StdEncoding.EncodeToString(append([]byte{1}, k.seed...)) // 1: Ed25519
	signer, err := note.NewSigner("PRIVATE+KEY+" + c.Origin + "+" + hash + "+" + secret)
	if err != nil {
		return nil, fmt.Errorf("signing for %s: %w", c.Origin, err)
	}
	return note.Sign(&note.Note{Text: c.String()}, signer)
}

// CheckOrigin says whether a text can name a log.
func CheckOrigin(origin string) error {
	if origin == "" || len(origin) > 200 || strings.ContainsFunc(origin, func(r rune) bool { return r <= ' ' || r == '+' || r > '~' }) {
		return errors.New("want a name such as supply.example.com/log, without spaces or +")
	}
	return nil
}
