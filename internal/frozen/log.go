package frozen

import (
	"context"
	"errors"
	"fmt"

	"filippo.io/torchwood"
	sumdb "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
)

const logDir = "supply/log"

// writeLog writes the log of what was published, where there is one: its signed
// head, its key and every tile, under the names that C2SP's tlog-tiles gives
// them.
func (w *Writer) writeLog(ctx context.Context, p *Provenance) error {
	if len(w.Head.Tokens) == 0 {
		return nil
	}
	fetch := func(name string) ([]byte, bool, error) {
		body, found, err := w.get(ctx, w.Head.SupplyURL+"/log/"+name)
		if err == nil && found {
			err = w.put(logDir+"/"+name, body)
		}
		return body, found, err
	}
	signed, found, err := fetch("checkpoint")
	if errors.Is(err, errUnavailable) || err == nil && !found {
		return nil // there was no log
	}
	if err != nil {
		return err
	}
	head, err := tlog.ParseCheckpoint(signed)
	if err != nil {
		return err
	}
	p.Log = &LogHead{Origin: head.Origin, Size: head.N, Root: head.Hash.String()}
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
