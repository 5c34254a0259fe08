package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"petsupply/internal/art"
)

// A packIndex knows which layers of a pack make up a picture, worked out anew
// from its manifest, so that another program can draw the same.
type packIndex struct {
	dir   string
	Grid  int `json:"grid"`
	Scale int `json:"scale"`
	Slots []struct {
		Name string   `json:"name"`
		By   []string `json:"by"`
	} `json:"slots"`
	Assets []packAsset `json:"assets"`

	files []string // of layers
	place map[string]int
}

type packAsset struct {
	Slot    string            `json:"slot"`
	File    string            `json:"file"`
	When    map[string][]int  `json:"when"`
	X       int               `json:"x"`
	Y       int               `json:"y"`
	At      string            `json:"at"`
	Anchors map[string][2]int `json:"anchors"`
	Swap    string            `json:"swap"`
}

// openPackIndex reads a pack's manifest.
func openPackIndex(dir string) (*packIndex, error) {
	text, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if err != nil {
		return nil, err
	}
	k := &packIndex{dir: dir, place: map[string]int{}}
	if err := json.Unmarshal(text, k); err != nil {
		return nil, fmt.Errorf("reading the pack's manifest: %w", err)
	}
	for _, a := range k.Assets {
		if a.Swap != "" {
			return nil, fmt.Errorf("%s: swaps palettes, which sharp is not given", a.File)
		}
		if _, ok := k.place[a.File]; !ok && a.File != "" {
			k.place[a.File] = len(k.files)
			k.files = append(k.files, a.File)
		}
	}
	return k, nil
}

// recipe returns the layers of a look, back to front: number, x and y.
func (k *packIndex) recipe(l art.Look) [][3]int {
	shiny := 0
	if l.Shiny {
		shiny = 1
	}
	traits := map[string]int{"egg": int(l.Egg), "appearance": int(l.Appearance), "rarity": int(l.Rarity),
		"element": int(l.Element), "shiny": shiny, "background": int(l.Background)}
	anchors := map[string][2]int{}
	for _, s := range k.Slots {
		if a := k.choose(s.Name, traits); a != nil && a.Anchors != nil {
			anchors = a.Anchors
		}
	}
	var list [][3]int
	for _, s := range k.Slots {
		a := k.choose(s.Name, traits)
		if a == nil || a.File == "" {
			continue
		}
		at := anchors[a.At] // the grid's corner if it names none
		list = append(list, [3]int{k.place[a.File], a.X + at[0], a.Y + at[1]})
	}
	return list
}

// choose returns the most specific asset that fits.
func (k *packIndex) choose(slot string, traits map[string]int) *packAsset {
	var best *packAsset
	for i := range k.Assets {
		a := &k.Assets[i]
		fits := a.Slot == slot
		for trait, values := range a.When {
			fits = fits && slices.Contains(values, traits[trait])
		}
		if fits && (best == nil || len(a.When) > len(best.When)) {
			best = a
		}
	}
	return best
}

// appearances is how many looks each egg type is drawn in.
const appearances = 24

// sample returns n looks, the same ones every time.
func sample(n int) []art.Look {
	dice := rand.New(rand.NewPCG(4, 2))
	looks := make([]art.Look, n)
	for i := range looks {
		looks[i] = art.Look{
			Egg: uint8(dice.IntN(5)), Rarity: uint8(dice.IntN(5)), Element: uint8(dice.IntN(8)), Background: uint8(dice.IntN(11)),
			Appearance: uint16(1 + dice.IntN(appearances)), Shiny: dice.IntN(10) == 0,
		}
	}
	return looks
}
