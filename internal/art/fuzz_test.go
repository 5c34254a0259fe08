package art

import (
	"image"
	"image/color"
	"maps"
	"testing"
	"testing/fstest"
)

// FuzzManifest: a pack with any pack.json opens or is refused. If it opens, it can draw.
func FuzzManifest(f *testing.F) {
	tree := small(f)
	f.Add(tree[manifestFile].Data)
	const head = `{"format":"petpack/2","id":"a","version":"1","name":"","licence":"x","credits":[],"grid":8,"scale":1,`
	f.Add([]byte(head + `"slots":[{"name":"a","files":["pet/{egg}-{appearance}.png"],"optional":true}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		spoilt := maps.Clone(tree)
		spoilt[manifestFile] = &fstest.MapFile{Data: data}
		loader := newLoader(pets(), spoilt)
		if len(loader.load()) > 0 {
			return
		}
		p := loader.pack
		for _, l := range []at{{}, {"egg": 255, "rarity": 255, "element": 255, "background": 255, "appearance": 65535,
			"shiny": 1}} {
			img := decodePNG(t, p.Draw(p.Look(l), View{Frame: true, Background: true, Scale: 1}))
			if img.Bounds().Dx() != p.grid {
				t.Fatalf("a picture of %v", img.Bounds())
			}
		}
	})
}

// FuzzLayer: a layer with any content is refused, or shows exactly the pixels that the standard
// library reads.
func FuzzLayer(f *testing.F) {
	for _, file := range small(f) {
		f.Add(file.Data)
	}
	f.Add(encodePNG(f, image.NewGray16(image.Rect(0, 0, 3, 5))))
	f.Add(encodePNG(f, image.NewNRGBA64(image.Rect(0, 0, 7, 2))))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := decodeStrip(data, 90, 1)
		if err != nil {
			return
		}
		only := &file[0].layer
		all := pool[color.NRGBA]{known: map[string]int32{}, append: appendColour}
		only.from = all.add(only.spans, file[0].pixels)
		img := decodePNG(t, data)
		canvas := make([]color.NRGBA, 90*90)
		blend(canvas, 90, only, all.pixels, only.x, only.y)
		for y := range 90 {
			for x := range 90 {
				want := color.NRGBA{}
				if image.Pt(x, y).In(img.Bounds()) {
					want = nrgba(img.At(x, y))
				}
				if canvas[y*90+x] != want {
					t.Fatalf("%v at %d,%d, not %v", canvas[y*90+x], x, y, want)
				}
			}
		}
	})
}
