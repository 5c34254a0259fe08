// Package tlog is the append-only log of everything that was published: a Merkle tree with a signed
// head, served in the formats of C2SP (tlog-tiles, tlog-checkpoint, tlog-proof), so that readers
// can check it with their own programs.
//
// The leaves are in leaf.go. A Keeper maintains the log of a store: it begins a log, serves it, and
// signs it while this process leads. It never signs fewer leaves than before. The type Witnesses
// sends the heads to servers of other operators, which cosign them. The formats come from
// filippo.io/torchwood, and the hashing from golang.org/x/mod/sumdb/tlog.
package tlog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

const (
	// maxCheckpoint limits a signed checkpoint with its cosignatures, in bytes.
	maxCheckpoint = 64 << 10
	// maxInclusion limits an inclusion proof, in bytes. It has a checkpoint and at most 63 hashes.
	maxInclusion = maxCheckpoint + 8<<10
	// maxSize limits the number of leaves of a log that is read. Functions of x/mod that count tree
	// nodes do not terminate for sizes near the largest int64.
	maxSize = 1 << 48
)

// ParseCheckpoint reads a signed checkpoint without checking its signatures. It rejects a checkpoint
// with two signatures of its log.
func ParseCheckpoint(signed []byte) (torchwood.Checkpoint, error) {
	text, _, ok := bytes.Cut(signed, []byte("\n\n"))
	if !ok || len(signed) > maxCheckpoint {
		return torchwood.Checkpoint{}, errors.New("not a signed checkpoint")
	}
	c, err := torchwood.ParseCheckpoint(string(text) + "\n")
	if err != nil {
		return c, err
	}
	if bytes.Count(signed, []byte("\n— "+c.Origin+" ")) > 1 { // one could hide another
		return c, errors.New("the checkpoint has two signatures of its log")
	}
	return c, checkHead(c, string(text)+"\n")
}

// checkHead rejects heads that torchwood accepts but our logs never have: a root in non-canonical
// base64, no origin, no leaves, extension lines, or an impossible size.
func checkHead(c torchwood.Checkpoint, text string) error {
	if c.Origin == "" || c.N == 0 || c.Extension != "" || c.String() != text {
		return errors.New("malformed checkpoint")
	}
	if c.N > maxSize {
		return fmt.Errorf("the checkpoint has %d leaves, more than any log has", c.N)
	}
	return nil
}

// OpenCheckpoint reads a checkpoint that must be signed by the log with this verifier key.
func OpenCheckpoint(signed []byte, verifierKey string) (torchwood.Checkpoint, error) {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return torchwood.Checkpoint{}, fmt.Errorf("not the verifier key of a log: %w", err)
	}
	c, own, err := signatures(signed, note.VerifierList(verifier))
	if err == nil && (len(own) == 0 || c.Origin != verifier.Name()) {
		err = fmt.Errorf("the checkpoint is not signed by this log, %.80q", verifier.Name())
	}
	return c, err
}

// signatures reads a checkpoint and returns its signatures by the given keys. A signature that names
// one of the keys but is invalid is an error.
func signatures(signed []byte, by note.Verifiers) (torchwood.Checkpoint, []note.Signature, error) {
	c, err := ParseCheckpoint(signed)
	if err != nil {
		return c, nil, err
	}
	n, err := note.Open(signed, by)
	if _, none := errors.AsType[*note.UnverifiedNoteError](err); none {
		return c, nil, nil
	}
	if err != nil {
		return c, nil, fmt.Errorf("signatures of the checkpoint: %w", err)
	}
	return c, n.Sigs, nil
}

// Address returns the name of a log in URLs: the hash in its verifier key, which is NAME+HASH+KEY.
// It returns "" if the text is not such a key.
func Address(verifierKey string) string {
	parts := strings.SplitN(verifierKey, "+", 3)
	if len(parts) < 3 || !isAddress(parts[1]) {
		return ""
	}
	return parts[1]
}

// SignedAddress returns the address of the log that signed a checkpoint, or "" if the checkpoint is
// malformed. It reads the hash of the key in the signature, and does not verify the signature.
func SignedAddress(signed []byte) string {
	c, err := ParseCheckpoint(signed)
	_, own, _ := strings.Cut(ownSignature(string(signed), c.Origin), "\n\n— "+c.Origin+" ")
	own, _, _ = strings.Cut(own, "\n")
	signature, invalid := base64.StdEncoding.DecodeString(own)
	if err != nil || invalid != nil || len(signature) < 4 {
		return ""
	}
	return hex.EncodeToString(signature[:4])
}

// isAddress reports whether a text is 8 lower-case hexadecimal digits.
func isAddress(s string) bool {
	return len(s) == 8 && strings.Trim(s, "0123456789abcdef") == ""
}

// CheckInclusion checks a proof (C2SP tlog-proof) that the leaf with this hash is in the log of the
// verifier key. It returns the leaf's index and the checkpoint of the proof. Without a key it
// accepts every signature.
func CheckInclusion(proof string, leaf merkle.Hash, verifierKey string) (int64, torchwood.Checkpoint, error) {
	head, signed, _ := strings.Cut(proof, "\n\n")
	lines := strings.Split(head, "\n")
	if len(proof) > maxInclusion || len(lines) < 2 {
		return 0, torchwood.Checkpoint{}, errors.New("not an inclusion proof")
	}
	c, err := ParseCheckpoint([]byte(signed)) // this also limits the length of the checkpoint
	if err != nil {
		return 0, c, err
	}
	index, _ := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	var path merkle.RecordProof
	for _, line := range lines[2:] {
		hash, _ := merkle.ParseHash(line)
		path = append(path, hash)
	}
	if string(torchwood.FormatProof(index, path, []byte(signed))) != proof { // such as one with extra data
		return 0, c, errors.New("the inclusion proof is not in the form that petsupply writes")
	}
	if verifierKey != "" {
		if _, err := OpenCheckpoint([]byte(signed), verifierKey); err != nil {
			return 0, c, fmt.Errorf("the log %.80q: %w; "+
				"an older snapshot may be in an earlier log that has another key", c.Origin, err)
		}
	}
	if merkle.CheckRecord(path, c.N, c.Hash, index, leaf) != nil {
		err = fmt.Errorf("the proof does not lead from leaf %d to the root of the checkpoint", index)
	}
	return index, c, err
}

// Cosignatures returns the signatures of a checkpoint that a witness made, or nil if there are none.
func Cosignatures(signed []byte, by *torchwood.CosignatureVerifier) ([]note.Signature, error) {
	c, list, err := signatures(signed, note.VerifierList(by))
	if err == nil && by.Name() == c.Origin {
		err = errItself
	}
	return list, err
}

var errItself = errors.New("a log cannot witness itself: the witness has its name")

// ownSignature returns a signed checkpoint with only the signature of its own log.
func ownSignature(checkpoint, origin string) string {
	text, signatures, found := strings.Cut(checkpoint, "\n\n")
	if !found {
		return checkpoint
	}
	own := "— " + origin + " "
	var out strings.Builder // faster than +=: a hostile text can have very many lines
	out.WriteString(text + "\n\n")
	for line := range strings.Lines(signatures) {
		if strings.HasPrefix(line, own) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// sameHead reports whether two signed checkpoints have the same text. It ignores their signatures.
func sameHead(a, b []byte) bool {
	textA, _, _ := bytes.Cut(a, []byte("\n\n"))
	textB, _, _ := bytes.Cut(b, []byte("\n\n"))
	return bytes.Equal(textA, textB)
}
