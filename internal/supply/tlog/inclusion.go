package tlog

import (
	"errors"
	"fmt"
	"strings"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// proofHeader is the first line of an inclusion proof.
const proofHeader = "c2sp.org/tlog-proof@v1"

// maxProof bounds an inclusion proof that is read: no tree is higher than 63.
const maxProof = maxCheckpoint + 8<<10

// An Inclusion shows that a leaf is in the log of a checkpoint.
type Inclusion struct {
	Index  int64
	Hashes []Hash
	Signed []byte // the checkpoint
}

// String is the proof as C2SP's tlog-proof writes it.
func (p Inclusion) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nindex %d\n", proofHeader, p.Index)
	for _, h := range p.Hashes {
		b.WriteString(h.String() + "\n")
	}
	return b.String() + "\n" + string(p.Signed)
}

// ParseInclusion reads a proof. It checks nothing of what it says.
func ParseInclusion(text string) (p Inclusion, err error) {
	if len(text) > maxProof {
		return p, errors.New("not an inclusion proof: too long")
	}
	head, signed, ok := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !ok || lines[0] != proofHeader {
		return p, fmt.Errorf("not an inclusion proof: it does not begin with %s", proofHeader)
	}
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:] // means nothing here
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return p, errors.New("not an inclusion proof: it has no index")
	}
	if p.Index, err = parseNumber(strings.TrimPrefix(lines[0], "index ")); err != nil {
		return p, fmt.Errorf("index of the inclusion proof: %w", err)
	}
	for _, line := range lines[1:] {
		h, err := parseHash(line)
		if err != nil {
			return p, fmt.Errorf("hashes of the inclusion proof: %w", err)
		}
		p.Hashes = append(p.Hashes, h)
	}
	p.Signed = []byte(signed)
	return p, nil
}

// Check says whether the leaf with this hash is in the log that the verifier key
// names, and returns the checkpoint by which it is. With "" for a key no
// signature is looked at.
func (p Inclusion) Check(leaf Hash, verifierKey string) (c Checkpoint, err error) {
	if verifierKey == "" {
		c, err = ParseCheckpoint(p.Signed)
	} else {
		c, err = OpenCheckpoint(p.Signed, verifierKey)
	}
	if err != nil {
		return c, err
	}
	if err := merkle.CheckRecord(p.Hashes, c.Size, c.Root, p.Index, leaf); err != nil {
		return c, fmt.Errorf("the proof does not lead from leaf %d to the root of the checkpoint", p.Index)
	}
	return c, nil
}
