package main

import (
	"fmt"
	"math/rand/v2"

	"petsupply/internal/art"
)

// A packIndex numbers the layers of a pack in a directory, so that another
// program can be told what to draw.
type packIndex struct {
	dir    string
	pack   *art.Pack
	files  []string // of layers
	number map[string]int
}

// openPackIndex unpacks a pack of still layers, such as the first version of the
// default one.
func openPackIndex(path, dir string) (*packIndex, error) {
	if err := art.Export(path, dir); err != nil {
		return nil, err
	}
	pack, err := art.Open(dir)
	if err != nil {
		return nil, err
	}
	return &packIndex{dir: dir, pack: pack, number: map[string]int{}}, nil
}

// recipe returns the layers of a look, back to front: number, x and y.
func (k *packIndex) recipe(l art.Look) ([][3]int, error) {
	var list [][3]int
	for _, p := range k.pack.Resolve(l, art.Whole) {
		if p.Swap != "" {
			return nil, fmt.Errorf("%s: swaps palettes, which sharp is not given", p.File)
		}
		n, ok := k.number[p.File]
		if !ok {
			n = len(k.files)
			k.number[p.File], k.files = n, append(k.files, p.File)
		}
		list = append(list, [3]int{n, p.X, p.Y})
	}
	return list, nil
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
