package frozen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A Writer writes the published files of a copy that was taken. What is there
// already, as it should be, stays, so a copy that was broken off is finished in
// less time.
type Writer struct {
	Dir  string
	Head *Head
	// Base is the address under which the copy will be found; "" for that of the
	// service. For a CAR, where addresses follow from the content, CAR is set.
	Base string
	CAR  bool

	// Answers are those of the service that was restored out of the copy. Its
	// addresses are the configured ones.
	Answers http.Handler
	Pack    *art.Pack
	Pets    Pets
	// Progress is told of each file that is there; many call it at once.
	Progress func(n int)

	links pet.Links
	looks map[string][32]byte // the hash of the pixels, by version of the picture
}

// Pets are read in the order of their ids. *store.Store is one.
type Pets interface {
	// ListPets returns pets from a position on, and that to go on from; zero: no more.
	ListPets(ctx context.Context, q pet.Query, from pet.PagePosition) (list []pet.Pet, next pet.PagePosition, err error)
}

// Write writes everything. Only a copy that is whole has a provenance.json.
func (w *Writer) Write(ctx context.Context) (*Provenance, error) {
	p := &Provenance{Format: provenanceFormat, Of: Origin{w.Head.SupplyURL, w.Head.PetsURL, w.Head.SiteURL}, AsOf: w.Head.AsOf, Feed: w.Head.Feed, Demo: w.Head.Demo,
		Pack: PackOrigin{ID: w.Pack.ID(), Version: w.Pack.Version()}, Rule: rule, Figures: []Figures{}}
	if err := os.Remove(w.name(provenanceFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err := w.writeSupply(ctx, p)
	if err == nil {
		err = w.writeLog(ctx, p)
	}
	if err == nil && len(w.Head.Realms) > 0 {
		err = w.writePets(ctx, p)
	}
	if err == nil {
		err = w.writeNginx(p)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the copy in %s: %w", w.Dir, err)
	}
	for dir, cid := range map[string]*string{dataDir: &p.Data, packDir: &p.Pack.CID, pictureDir: &p.Pictures} {
		if *cid, err = w.root(ctx, dir); err != nil {
			return nil, err
		}
	}
	part := w.name(provenanceFile + ".part")
	if err := writeJSON(part, p); err != nil {
		return nil, err
	}
	return p, os.Rename(part, w.name(provenanceFile))
}

// writeSupply writes every form of every token.
func (w *Writer) writeSupply(ctx context.Context, p *Provenance) error {
	if len(w.Head.Tokens) == 0 {
		return nil
	}
	base := w.Head.SupplyURL
	all, _, err := w.get(ctx, base+"/")
	if err != nil {
		return err
	}
	var documents []struct{ Snapshot *string } // in the order of the tokens
	if err := json.Unmarshal(all, &documents); err != nil || len(documents) != len(w.Head.Tokens) {
		return fmt.Errorf("reading the document of all tokens: %w", err)
	}
	files := [][2]string{{base + "/", "supply/index.json"}}
	for i, t := range w.Head.Tokens {
		at, dir := base+"/"+t.Path, "supply/"+t.Path+"/"
		files = append(files, [2]string{at + "/ledger", dir + "ledger.json"})
		if documents[i].Snapshot == nil {
			continue // it had no figure
		}
		files = append(files,
			[2]string{at, dir + "index.json"},
			[2]string{at + "/evidence", dir + "evidence.json"},
			[2]string{at + "/proof", dir + "proof.json"},
			[2]string{fmt.Sprintf("%s/history?from=0&to=%d&points=2000", at, w.Head.AsOf.Unix()+1), dir + "history.json"})
		for _, name := range supply.FigureNames {
			files = append(files,
				[2]string{at + "/" + string(name), dir + string(name)},
				[2]string{at + "/" + string(name) + "?format=json", dir + string(name) + ".json"})
		}
	}
	for _, f := range files {
		body, found, err := w.get(ctx, f[0])
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := w.put(f[1], body); err != nil {
			return err
		}
		if strings.HasSuffix(f[1], "/index.json") && f[1] != "supply/index.json" {
			if err := p.addFigures(path.Base(path.Dir(f[1])), body); err != nil {
				return err
			}
		}
	}
	return nil
}
