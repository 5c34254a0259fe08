package tlog

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// kindCosignature marks a key that cosigns checkpoints with Ed25519.
const kindCosignature = 4

// timeSize is how many bytes of a cosignature say when it was made.
const timeSize = 8

// A WitnessKey checks the cosignatures of one witness, as C2SP's tlog-cosignature
// defines them (cosignature/v1). It is a note.Verifier.
type WitnessKey struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

// ParseWitnessKey reads the verifier key of a witness, NAME+HASH+KEY.
func ParseWitnessKey(text string) (*WitnessKey, error) {
	name, rest, _ := strings.Cut(text, "+")
	hash, coded, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.Strict().DecodeString(coded)
	if err != nil || CheckOrigin(name) != nil || len(key) == 0 {
		return nil, errors.New("want the verifier key of a witness, NAME+HASH+KEY")
	}
	if key[0] != kindCosignature || len(key) != 1+ed25519.PublicKeySize {
		return nil, errors.New("not a key for cosignatures with Ed25519 (cosignature/v1): it may be the key of a log")
	}
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	if fmt.Sprintf("%x", sum[:4]) != hash {
		return nil, errors.New("its hash is not that of its name and key: something in it was altered")
	}
	return &WitnessKey{name, binary.BigEndian.Uint32(sum[:4]), key[1:]}, nil
}

// Name is that of the witness.
func (w *WitnessKey) Name() string { return w.name }

// KeyHash tells keys of one name apart.
func (w *WitnessKey) KeyHash() uint32 { return w.hash }

// Verify says whether the witness signed a checkpoint's text.
func (w *WitnessKey) Verify(text, signature []byte) bool {
	if len(signature) != timeSize+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(signature)
	return at > 0 && at <= math.MaxInt64 && ed25519.Verify(w.key, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text), signature[timeSize:])
}

// A Cosignature says that a witness saw a checkpoint, and that its log had only
// grown until then.
type Cosignature struct {
	Witness string    `json:"witness"`
	Time    time.Time `json:"time"` // by the clock of the witness
	line    string
}

// Cosignatures are those of a signed checkpoint that were made by the keys. One
// that claims to be and is not is an error.
func Cosignatures(signed []byte, keys ...*WitnessKey) (list []Cosignature, err error) {
	c, err := ParseCheckpoint(signed)
	if err != nil {
		return nil, err
	}
	verifiers := make([]note.Verifier, len(keys))
	for i, k := range keys {
		if verifiers[i] = k; k.name == c.Origin {
			return nil, fmt.Errorf("%s is the name of the log: it cannot witness itself", k.name)
		}
	}
	n, err := note.Open(signed, note.VerifierList(verifiers...))
	if errors.As(err, new(*note.UnverifiedNoteError)) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cosignatures of the checkpoint: %w", err)
	}
	for _, s := range n.Sigs {
		raw, err := base64.StdEncoding.DecodeString(s.Base64) // the hash of the key, the time, the signature
		if err != nil {
			return nil, err
		}
		at := binary.BigEndian.Uint64(raw[4:])
		list = append(list, Cosignature{s.Name, time.Unix(int64(at), 0).UTC(), "— " + s.Name + " " + s.Base64 + "\n"})
	}
	return list, nil
}

// sameHead says whether two signed checkpoints say the same, whoever signed them.
func sameHead(a, b []byte) bool {
	textA, _, _ := bytes.Cut(a, []byte("\n\n"))
	textB, _, _ := bytes.Cut(b, []byte("\n\n"))
	return bytes.Equal(textA, textB)
}

// OwnSignature is a checkpoint with the signature of its own log alone.
func OwnSignature(checkpoint, origin string) string {
	text, signatures, found := strings.Cut(checkpoint, "\n\n")
	if !found {
		return checkpoint
	}
	out := text + "\n\n"
	for line := range strings.Lines(signatures) {
		if strings.HasPrefix(line, "— "+origin+" ") {
			out += line
		}
	}
	return out
}
