package art

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLayersThatGrowInMemoryAreRefused: the pixels that a pack's layers unpack to are bounded,
// however few bytes it has.
func TestLayersThatGrowInMemoryAreRefused(t *testing.T) {
	const grid = 512
	tree := small(t)
	large := encodePNG(t, picture(grid, grid, func(x, y int) color.NRGBA { return color.NRGBA{9, 9, 9, 255} }))
	replace(t, tree, manifestFile, `"grid": 90`, `"grid": 512`)
	for i := range maxPixels/(grid*grid) + 1 {
		tree[fmt.Sprintf("pet/blue-%d.png", 1000+i)] = &fstest.MapFile{Data: large, Mode: 0o644}
	}
	if _, err := openFS(tree); err == nil || !strings.Contains(err.Error(), "million pixels") {
		t.Error(err)
	}
}
