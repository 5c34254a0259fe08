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

// writeLogs writes each log, if there is one, to a folder of its own below supply/log/. The newest
// checkpoint and the key of the current log are also in supply/log/ itself.
func (w *writer) writeLogs(ctx context.Context) error {
	head, err := w.saveHead(ctx, "log/")
	if err != nil || head == nil {
		return err
	}
	key, _, err := w.get(ctx, w.SupplyURL+"/log/key")
	if err != nil {
		return err
	}
	address := tlog.Address(strings.TrimSpace(string(key)))
	for range maxLogs {
		first, found, err := w.saveLog(ctx, "log/"+address+"/")
		if err != nil || !found || first.Previous == nil {
			return err
		}
		address = first.Previous.Log
	}
	return nil
}

// saveHead copies the signed head and the key of the log that the service serves at a path. The
// head is nil if there is no log.
func (w *writer) saveHead(ctx context.Context, at string) (*torchwood.Checkpoint, error) {
	signed, found, err := w.saveFile(ctx, at+"checkpoint")
	if err != nil || !found {
		return nil, err
	}
	head, err := tlog.ParseCheckpoint(signed)
	if err != nil {
		return nil, err
	}
	_, found, err = w.saveFile(ctx, at+"key")
	if err == nil && !found {
		err = errors.New("the log has no key")
	}
	return &head, err
}

// saveFile copies a file below the address of the supply API.
func (w *writer) saveFile(ctx context.Context, name string) (body []byte, found bool, err error) {
	return w.save(ctx, w.SupplyURL+"/"+name, "supply/"+name)
}

// saveLog copies the log at a path: its head, its key and every tile, named as in C2SP's
// tlog-tiles. It returns the first leaf, and whether the service has the log.
func (w *writer) saveLog(ctx context.Context, at string) (first tlog.Begin, found bool, err error) {
	head, err := w.saveHead(ctx, at)
	if err != nil || head == nil {
		return first, false, err
	}
	var names []string
	for _, t := range sumdb.NewTiles(torchwood.TileHeight, 0, head.N) {
		names = append(names, torchwood.TilePath(t))
		if t.L == 0 {
			t.L = tlog.Entries
			names = append(names, torchwood.TilePath(t))
		}
	}
	for _, name := range names {
		body, found, err := w.saveFile(ctx, at+name)
		if err == nil && !found {
			err = fmt.Errorf("the log lacks %s", name)
		}
		if err == nil && strings.HasPrefix(name, "tile/entries/000") {
			first, err = firstLeaf(body)
		}
		if err != nil {
			return first, false, err
		}
	}
	return first, true, nil
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
