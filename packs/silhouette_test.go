package packs

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// grid is the width and height of a picture of the default pack.
const grid = 90

// A silhouette is the outline of a creature at rest, filled.
type silhouette struct {
	name, family string
	rows         [grid]row
	area         int
}

// A row has one bit for each pixel from left to right, and room on both sides to move them.
type row [2]uint64

// firstBit is the bit of the first pixel.
const firstBit = 8

func (r *row) set(x int) { r[(x+firstBit)/64] |= 1 << ((x + firstBit) % 64) }

// moved returns the row, moved right by dx pixels, or left if dx is negative.
func (r row) moved(dx int) row {
	if dx < 0 {
		return row{r[0]>>-dx | r[1]<<(64+dx), r[1] >> -dx}
	}
	return row{r[0] << dx, r[1]<<dx | r[0]>>(64-dx)}
}

// TestSilhouettes compares the silhouettes of all creatures of different families, also across the
// colours of their eggs. With -v it lists the closest pairs.
func TestSilhouettes(t *testing.T) {
	const most = 0.81 // of the area of both, this much may be common to two creatures
	const listed = 5
	all := silhouettes(t)
	type pair struct {
		a, b   silhouette
		common float64
	}
	var pairs []pair
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.family != b.family {
				pairs = append(pairs, pair{a, b, a.common(b)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(1e6 * (b.common - a.common)) })
	for i, p := range pairs[:listed] {
		t.Logf("%d. %s and %s have %.1f %% in common", i+1, p.a.name, p.b.name, 100*p.common)
	}
	closest := pairs[0]
	if closest.common > most {
		t.Errorf("the closest pair, %s and %s, has %.1f %% in common, want at most %.0f %%",
			closest.a.name, closest.b.name, 100*closest.common, 100*most)
	}
}

// silhouettes reads the drawings of all creatures that have hatched.
func silhouettes(t *testing.T) (all []silhouette) {
	t.Helper()
	var words struct {
		Appearances map[string]map[string]struct{ Name, Family string }
	}
	data, err := Files.ReadFile("meadow/dictionary.json")
	if err == nil {
		err = json.Unmarshal(data, &words)
	}
	if err != nil {
		t.Fatal(err)
	}
	colours := []string{"blue", "grey", "green", "yellow", "golden"}
	name := regexp.MustCompile(`^meadow/pet/([a-z]+)-([1-9][0-9]*)(\.strip[0-9]+)?\.png$`)
	for _, file := range names(t, "pet/*.png") {
		m := name.FindStringSubmatch(file)
		if m == nil {
			continue // shiny, or an egg
		}
		creature := words.Appearances[strconv.Itoa(slices.Index(colours, m[1]))][m[2]]
		s := read(t, file)
		s.name, s.family = fmt.Sprintf("%s (%s)", creature.Name, m[1]), creature.Family
		all = append(all, s)
	}
	if len(all) != 120 {
		t.Fatalf("%d silhouettes, want one for each of 120 creatures", len(all))
	}
	return all
}

// read returns the silhouette of the first drawing in a file.
func read(t *testing.T, file string) (s silhouette) {
	t.Helper()
	img := decode(t, file)
	for y := range grid {
		for x := range grid {
			if covered(img, x, y) {
				s.rows[y].set(x)
				s.area++
			}
		}
	}
	return s
}

// common returns which part of the area of both silhouettes is covered by both. Before that, b is
// moved by up to four pixels, so that they cover each other best.
func (s *silhouette) common(b silhouette) float64 {
	const reach = 4
	var moved [grid]row
	best := 0
	for dx := -reach; dx <= reach; dx++ {
		for y := range b.rows {
			moved[y] = b.rows[y].moved(dx)
		}
		for dy := -reach; dy <= reach; dy++ {
			shared := 0
			for y := max(0, dy); y < min(grid, grid+dy); y++ {
				shared += bits.OnesCount64(s.rows[y][0] & moved[y-dy][0])
				shared += bits.OnesCount64(s.rows[y][1] & moved[y-dy][1])
			}
			best = max(best, shared)
		}
	}
	return float64(best) / float64(s.area+b.area-best)
}
