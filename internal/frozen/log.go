package frozen

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"filippo.io/torchwood"
	sumdb "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
)

// maxLogs limits the number of logs in a copy.
const maxLogs = 50

// writeLog writes the current log, if there is one, to supply/log/. It also writes this log and
// each earlier one to a folder of its own below supply/log/.
func (w *Writer) writeLog(ctx context.Context, p *Provenance) error {
	if len(w.Head.Tokens) == 0 {
		return nil
	}
	head, first, err := w.saveLog(ctx, "log/")
	if err != nil || head == nil {
		return err
	}
	p.Log = &logHead{Origin: head.Origin, Size: head.N, Root: head.Hash.String()}
	key, _, err := w.get(ctx, w.Head.SupplyURL+"/log/key")
	address := tlog.Address(strings.TrimSpace(string(key)))
	for n := 0; err == nil && n < maxLogs; n++ {
		if head, first, err = w.saveLog(ctx, "log/"+address+"/"); err != nil || head == nil || first.Previous == nil {
			break
		}
		address = first.Previous.Log
	}
	return err
}

// saveLog copies the log that the service serves at a path: its signed head, its key and every
// tile, named as in C2SP's tlog-tiles. It returns the head, which is nil if there is no log, and
// the first leaf.
func (w *Writer) saveLog(ctx context.Context, at string) (*torchwood.Checkpoint, tlog.Begin, error) {
	var first tlog.Begin
	fetch := func(name string) ([]byte, bool, error) {
		return w.save(ctx, w.Head.SupplyURL+"/"+at+name, "supply/"+at+name)
	}
	signed, found, err := fetch("checkpoint")
	if errors.Is(err, errUnavailable) || err == nil && !found {
		return nil, first, nil
	}
	if err != nil {
		return nil, first, err
	}
	head, err := tlog.ParseCheckpoint(signed)
	if err != nil {
		return nil, first, err
	}
	names := []string{"key"}
	for _, t := range sumdb.NewTiles(torchwood.TileHeight, 0, head.N) {
		names = append(names, torchwood.TilePath(t))
		if t.L == 0 {
			t.L = tlog.Entries
			names = append(names, torchwood.TilePath(t))
		}
	}
	for _, name := range names {
		body, found, err := fetch(name)
		if err == nil && !found {
			err = fmt.Errorf("the log lacks %s", name)
		}
		if err == nil && strings.HasPrefix(name, "tile/entries/000") {
			first, err = firstLeaf(body)
		}
		if err != nil {
			return nil, first, err
		}
	}
	return &head, first, nil
}

// firstLeaf reads the first leaf of a log from its first tile of leaves.
func firstLeaf(tile []byte) (tlog.Begin, error) {
	leaf, _, err := torchwood.ReadTileEntry(tile)
	if err != nil {
		return tlog.Begin{}, err
	}
	read, err := tlog.ParseLeaf(tlog.BeginFormat, leaf)
	if err != nil {
		return tlog.Begin{}, fmt.Errorf("reading the first leaf of the log: %w", err)
	}
	return read.(tlog.Begin), nil
}
