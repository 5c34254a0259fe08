package art

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"petsupply/internal/art/petpack"
)

// TestLayersThatGrowInMemoryAreRefused: the pixels that a pack's layers unpack to are bounded,
// however few bytes it has. A layer beyond the bound costs no memory.
func TestLayersThatGrowInMemoryAreRefused(t *testing.T) {
	const grid = 512
	large := encodePNG(t, picture(grid, grid, func(x, y int) color.NRGBA { return color.NRGBA{9, 9, 9, 255} }))
	claims := slices.Clone(large)
	copy(claims[16:24], "\x7f\xff\xff\xff\x7f\xff\xff\xff") // the header is read before its checksum
	few := maxPixels/(grid*grid) + 1
	for name, test := range map[string]struct {
		file         []byte
		files, swaps int
		want         string
	}{
		"one that claims 2³¹×2³¹ pixels": {claims, 1, 0, "not a PNG"},
		"many":                           {large, few, 0, "million pixels"},
		"many swaps of one":              {large, 1, few, "million pixels"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := openFS(grown(t, test.file, test.files, test.swaps))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Error(err)
			}
		})
	}
}

// grown is a pack of this many layers with the same bytes, and swaps of the first.
func grown(t *testing.T, file []byte, files, swaps int) fstest.MapFS {
	t.Helper()
	tree := small(t)
	edit(t, tree, func(m *manifest) {
		m.Grid, m.Scale = 512, 1
		pet := slices.IndexFunc(m.Assets, func(a petpack.Asset) bool { return a.Slot == "pet" })
		one := m.Assets[pet]
		for i := range files + swaps {
			a := one
			a.When = map[string][]int{"appearance": {1000 + i}}
			a.File, a.Swap = fmt.Sprintf("large/%d.png", i), ""
			if i >= files {
				a.File, a.Swap = "large/0.png", fmt.Sprintf("p%d", i)
				m.Palettes[a.Swap] = map[string]string{"#000000": "#ffffff"}
			} else {
				tree[a.File] = &fstest.MapFile{Data: file, Mode: 0o644}
			}
			m.Assets = append(m.Assets, a)
		}
	})
	return tree
}
