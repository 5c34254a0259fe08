package frozen

import (
	"context"
	"errors"
	"fmt"

	"filippo.io/torchwood"
	sumdb "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
)

// writeLog writes the log of what was published, if there is one: its signed head,
// its key and every tile, under the names of C2SP's tlog-tiles.
func (w *Writer) writeLog(ctx context.Context, p *Provenance) error {
	if len(w.Head.Tokens) == 0 {
		return nil
	}
	fetch := func(name string) ([]byte, bool, error) {
		return w.save(ctx, w.Head.SupplyURL+"/log/"+name, "supply/log/"+name)
	}
	signed, found, err := fetch("checkpoint")
	if errors.Is(err, errUnavailable) || err == nil && !found {
		return nil // there is no log
	}
	if err != nil {
		return err
	}
	head, err := tlog.ParseCheckpoint(signed)
	if err != nil {
		return err
	}
	p.Log = &logHead{Origin: head.Origin, Size: head.N, Root: head.Hash.String()}
	names := []string{"key"}
	for _, t := range sumdb.NewTiles(torchwood.TileHeight, 0, head.N) {
		names = append(names, torchwood.TilePath(t))
		if t.L == 0 {
			t.L = tlog.Entries
			names = append(names, torchwood.TilePath(t))
		}
	}
	for _, name := range names {
		_, found, err := fetch(name)
		if err == nil && !found {
			err = fmt.Errorf("the log lacks %s", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
