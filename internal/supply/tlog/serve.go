package tlog

import (
	"context"
	"encoding/hex"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// Tile returns a tile of the newest log, as far as that is signed; ErrNone
// beyond it.
func (k *Keeper) Tile(ctx context.Context, t Tile) ([]byte, error) {
	l := k.Latest()
	if l == nil || !t.within(l.SignedSize()) {
		return nil, ErrNone
	}
	level := Entries
	if t.Level != Entries {
		level = t.treeLevel()
	}
	list, err := k.Store.LogHashes(ctx, l.ID, level, t.First(), t.Width)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, b := range list {
		if t.Level == Entries {
			out = AppendEntry(out, b)
		} else {
			out = append(out, b...)
		}
	}
	return out, nil
}

// Include shows that the leaf with this hash, in hex, is in the newest log;
// ErrNone if it is not, or not signed yet.
func (k *Keeper) Include(ctx context.Context, leaf string) (string, error) {
	l := k.Latest()
	var h Hash
	if n, err := hex.Decode(h[:], []byte(leaf[:min(len(leaf), 2*len(h))])); l == nil || err != nil || n != len(h) {
		return "", ErrNone
	}
	index, err := k.Store.LeafIndex(ctx, l.ID, h)
	size := l.SignedSize()
	switch {
	case err != nil:
		return "", err
	case index >= size:
		return "", ErrNone
	}
	hashes, err := merkle.ProveRecord(size, index, k.nodes(ctx, l.ID))
	if err != nil {
		return "", err
	}
	return Inclusion{Index: index, Hashes: hashes, Signed: l.Signed}.String(), nil
}
