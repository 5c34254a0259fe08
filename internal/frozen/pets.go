package frozen

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/art"
	"petsupply/internal/pet"
)

// pageSize is the number of pets in memory at a time.
const pageSize = 1000

// writePets writes a document for each pet and the pictures of each look.
func (w *Writer) writePets(ctx context.Context, p *Provenance) error {
	if _, _, err := w.save(ctx, w.Head.PetsURL+"/contract", "pets/contract.json"); err != nil {
		return err
	}
	links := pet.Links{Pets: w.Head.PetsURL, Site: w.Head.SiteURL}
	if base := strings.TrimRight(w.Base, "/"); base != "" {
		links = pet.Links{Pets: base + "/pets", Site: base, Pictures: base + "/" + pictureDir}
	}
	kingdom := &pet.Kingdom{Collection: w.Pack.Collection(), Realms: w.Head.Realms}
	documents, err := pet.NewDocumentWriter(kingdom, w.Pack.Tables(), links)
	if err != nil {
		return err
	}
	drawn := map[string]bool{} // pictures that were drawn, by version
	var document []byte
	for from := (pet.PagePosition{}); ; {
		list, next, err := w.Store.ListPets(ctx, pet.Query{Limit: pageSize}, from)
		if err != nil {
			return err
		}
		p.Pets += uint64(len(list))
		for _, one := range list {
			document = documents.Append(document[:0], documents.Prepare(one), w.Pack.PictureVersion(w.Pack.LookOf(one)))
			if err := w.put(fmt.Sprintf("pets/token/%d.json", one.ID), document); err != nil {
				return err
			}
		}
		if err := w.writePictures(ctx, list, drawn); err != nil {
			return err
		}
		if from = next; next == (pet.PagePosition{}) {
			return nil
		}
	}
}

// writePictures draws the looks of these pets. It skips looks that are in the map "drawn", and adds
// the others to the map.
func (w *Writer) writePictures(ctx context.Context, list []pet.Pet, drawn map[string]bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, one := range list {
		look := w.Pack.LookOf(one)
		version := w.Pack.PictureVersion(look)
		if drawn[version] {
			continue
		}
		drawn[version] = true
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, frame := range []bool{true, false} {
				for _, background := range []bool{true, false} {
					file := w.Pack.Draw(look, art.View{Frame: frame, Background: background})
					if err := w.put(pictureDir+"/"+pet.PictureFile(version, frame, background), file); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return group.Wait()
}
