package main

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"

	"petsupply/internal/art"
)

// poster draws one picture for each family, with a row for each egg type. The documents show the
// poster.
func poster(pack *art.Pack) (*image.NRGBA, error) {
	const cols, scale, gap = 8, 2, 6
	nests := nests()
	pitch := scale*grid + gap
	sheet := image.NewNRGBA(image.Rect(0, 0, cols*pitch-gap, len(nests)*pitch-gap))
	for egg, nest := range nests {
		for i := range nest {
			traits := map[string]uint64{
				"egg": uint64(egg), "appearance": uint64(3*i + 3 - (egg+i)%2), "rarity": uint64((3*i + 2*egg) % 5),
				"element": uint64((5*i + 3*egg) % 8), "background": uint64((4*i + 7*egg) % 11),
			}
			if (egg*cols+i)%9 == 8 {
				traits["shiny"] = 1
			}
			look := pack.Look(traits)
			card, err := png.Decode(bytes.NewReader(pack.Draw(look, art.View{Frame: true, Background: true, Scale: scale})))
			if err != nil {
				return nil, fmt.Errorf("decoding the picture for the traits %v: %w", traits, err)
			}
			draw.Draw(sheet, card.Bounds().Add(image.Pt(i*pitch, egg*pitch)), card, image.Point{}, draw.Src)
		}
	}
	return sheet, nil
}

func writePoster(file string) error {
	pack, err := art.Embedded()
	if err != nil {
		return err
	}
	sheet, err := poster(pack)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, sheet); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
