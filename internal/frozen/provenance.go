package frozen

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
)

const provenanceFormat = "petsupply-provenance/1"

// rule says how the CIDs of a copy come about, for programs differ in it.
const rule = "CIDv1, SHA-256, raw leaves, chunks of 1 MiB, 1024 links a node, directories of more than 1000 entries sharded 256 ways by murmur3-x64-64: as npm's ipfs-car does"

// Provenance is what a copy is a copy of, so that anyone can hold it against the
// chains, against another copy, and against what was logged.
type Provenance struct {
	Format   string     `json:"format"`
	Of       Origin     `json:"of"`
	AsOf     time.Time  `json:"asOf"` // the latest time that anything in the copy has
	Demo     bool       `json:"demo,omitempty"`
	Feed     uint64     `json:"feed"` // the number of the last change of a pet
	Figures  []Figures  `json:"figures"`
	Log      *LogHead   `json:"log,omitempty"` // nil: there was none
	Pack     PackOrigin `json:"pack"`
	Pets     uint64     `json:"pets"`
	Root     string     `json:"root"` // of a Merkle tree as in RFC 6962: see petLeaf
	Pictures string     `json:"pictures,omitempty"`
	Data     string     `json:"data"`
	Rule     string     `json:"rule"`
}

// An Origin is where the service was.
type Origin struct {
	Supply string `json:"supply"`
	Pets   string `json:"pets"`
	Site   string `json:"site"`
}

// A LogHead is how far the log in a copy goes.
type LogHead struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
}

// A PackOrigin is the art pack of the pictures; the CID is that of its folder.
type PackOrigin struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	CID     string `json:"cid"`
}

// Figures are which snapshot of a token is in the copy.
type Figures struct {
	Token      string         `json:"token"`
	Snapshot   string         `json:"snapshot"`
	Status     string         `json:"status"`
	AsOf       time.Time      `json:"asOf"`
	MeasuredAt time.Time      `json:"measuredAt"`
	Blocks     []supply.Block `json:"blocks"`
}

// ProvenanceHash is the SHA-256 of the provenance of a whole copy in a folder, in
// hexadecimal: it stands for everything in it.
func ProvenanceHash(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, provenanceFile))
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// addFigures adds what a token's document says of its snapshot.
func (p *Provenance) addFigures(token string, document []byte) error {
	f := Figures{Token: token}
	if err := json.Unmarshal(document, &f); err != nil {
		return fmt.Errorf("reading the document of %s: %w", token, err)
	}
	p.Figures = append(p.Figures, f)
	return nil
}

// petLeaf is the leaf of a pet in the tree of a copy: its id in decimal, the
// SHA-256 of its document and that of its picture's pixels, in hexadecimal, with
// a space between them and a newline after.
func petLeaf(id uint64, document, pixels [32]byte) []byte {
	return fmt.Appendf(nil, "%d %x %x\n", id, document, pixels)
}

// A merkle is the tree of RFC 6962 over leaves that come one after the other. It
// holds one hash for each whole subtree.
type merkle struct {
	n     uint64
	whole []tlog.Hash // the largest first
}

func (m *merkle) add(leaf []byte) {
	h := tlog.RecordHash(leaf)
	for range bits.TrailingZeros64(^m.n) {
		h = tlog.NodeHash(m.whole[len(m.whole)-1], h)
		m.whole = m.whole[:len(m.whole)-1]
	}
	m.whole = append(m.whole, h)
	m.n++
}

func (m *merkle) root() string {
	if m.n == 0 {
		h := sha256.Sum256(nil)
		return hex.EncodeToString(h[:])
	}
	h := m.whole[len(m.whole)-1]
	for i := len(m.whole) - 2; i >= 0; i-- {
		h = tlog.NodeHash(m.whole[i], h)
	}
	return hex.EncodeToString(h[:])
}
