package frozen

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/art"
	"petsupply/internal/pet"
)

// pageSize is how many pets are in memory at a time.
const pageSize = 1000

// eachPage calls fn with all pets in the order of their ids.
func (w *Writer) eachPage(ctx context.Context, fn func([]pet.Pet) error) error {
	for from := (pet.PagePosition{}); ; {
		list, next, err := w.Pets.ListPets(ctx, pet.Query{Limit: pageSize}, from)
		if err != nil {
			return err
		}
		if err := fn(list); err != nil {
			return err
		}
		if from = next; next == (pet.PagePosition{}) {
			return nil
		}
	}
}

// writePets writes pictures first, for the documents of a CAR name them by their
// folder's CID.
func (w *Writer) writePets(ctx context.Context, p *Provenance) error {
	if body, found, err := w.get(ctx, w.Head.PetsURL+"/contract"); err != nil {
		return err
	} else if found {
		if err := w.put("pets/contract.json", body); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(w.name(pictureDir), 0o755); err != nil {
		return err
	}
	w.looks = map[string][32]byte{}
	if err := w.eachPage(ctx, func(list []pet.Pet) error { return w.writePictures(ctx, list) }); err != nil {
		return err
	}
	if err := w.setLinks(ctx); err != nil {
		return err
	}
	return w.writeDocuments(ctx, p)
}

// setLinks decides where documents find the pictures.
func (w *Writer) setLinks(ctx context.Context) error {
	w.links = pet.Links{Pets: w.Head.PetsURL, Site: w.Head.SiteURL}
	base := strings.TrimRight(w.Base, "/")
	switch {
	case base != "":
		w.links = pet.Links{Pets: base + "/pets", Site: base, Pictures: base + "/" + pictureDir}
	case w.CAR:
		cid, err := w.root(ctx, pictureDir)
		w.links.Pictures = "ipfs://" + cid
		return err
	}
	return nil
}

// writePictures draws the looks of these pets that were not drawn yet.
func (w *Writer) writePictures(ctx context.Context, list []pet.Pet) error {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, one := range list {
		look := art.LookOf(one)
		v := w.Pack.PictureVersion(look)
		mu.Lock()
		_, drawn := w.looks[v]
		w.looks[v] = [32]byte{}
		mu.Unlock()
		if drawn {
			continue
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, frame := range []bool{true, false} {
				for _, background := range []bool{true, false} {
					file := w.Pack.Draw(look, art.View{Frame: frame, Background: background})
					if err := w.put(pictureDir+"/"+pet.PictureFile(v, frame, background), file); err != nil {
						return err
					}
				}
			}
			sum, err := pixelHash(w.Pack.Draw(look, art.View{Frame: true, Background: true, Scale: 1}))
			mu.Lock()
			w.looks[v] = sum
			mu.Unlock()
			return err
		})
	}
	return group.Wait()
}

// pixelHash is the SHA-256 of a picture's width and height, each as four bytes,
// and of its pixels, row by row, each as red, green, blue and alpha that is not
// multiplied in. It is taken of the picture at one pixel for each of the pack's
// grid, with frame and background.
func pixelHash(file []byte) (sum [32]byte, err error) {
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return sum, err
	}
	b := img.Bounds()
	flat := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(flat, flat.Bounds(), img, b.Min, draw.Src)
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(b.Dx())), uint32(b.Dy())))
	h.Write(flat.Pix)
	h.Sum(sum[:0])
	return sum, nil
}

// lookFile is how many pets are in one file of nginx's table.
const lookFile = 100_000

// writeDocuments writes the document of each pet, and which look it has.
func (w *Writer) writeDocuments(ctx context.Context, p *Provenance) error {
	writer := pet.NewDocumentWriter(w.Pack.Dictionary(), w.links, w.Head.Realms)
	var tree merkle
	var document, looks []byte
	files := 0
	flush := func() error {
		files++
		err := w.put(fmt.Sprintf("%s/looks-%04d.map", nginxDir, files-1), looks)
		looks = looks[:0]
		return err
	}
	err := w.eachPage(ctx, func(list []pet.Pet) error {
		for _, one := range list {
			v := w.Pack.PictureVersion(art.LookOf(one))
			document = writer.Append(document[:0], pet.Prepare(one), v)
			if err := w.put(fmt.Sprintf("pets/token/%d.json", one.ID), document); err != nil {
				return err
			}
			tree.add(petLeaf(one.ID, sha256.Sum256(document), w.looks[v]))
			looks = fmt.Appendf(looks, "%d %s;\n", one.ID, v)
			if tree.n%lookFile == 0 {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
	if err == nil && (len(looks) > 0 || files == 0) {
		err = flush()
	}
	p.Pets, p.Root = tree.n, tree.root()
	return err
}
