package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"petsupply/internal/art"
)

// A packIndex numbers the layers of a pack in a directory, so that jobs for another program can
// name them.
type packIndex struct {
	dir    string
	pack   *art.Pack
	files  []string // file names of layers
	number map[string]int
}

// openPackIndex writes the default pack into a directory. It keeps only the first frame of layers
// with several frames, because that is the still picture.
func openPackIndex(dir string) (*packIndex, error) {
	if err := art.Copy("embedded", dir); err != nil {
		return nil, err
	}
	pack, err := art.Embedded()
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !frames.MatchString(name) {
			return err
		}
		if err := keepFirstFrame(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return &packIndex{dir: dir, pack: pack, number: map[string]int{}}, err
}

var frames = regexp.MustCompile(`\.strip([0-9]+)\.png$`)

// keepFirstFrame cuts a strip of frames to its first one.
func keepFirstFrame(name string) error {
	n, err := strconv.Atoi(frames.FindStringSubmatch(name)[1])
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	first := img.Bounds()
	first.Max.X = first.Min.X + first.Dx()/n
	var out bytes.Buffer
	// All layers of the default pack have a palette.
	if err := png.Encode(&out, img.(*image.Paletted).SubImage(first)); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

// recipe returns the layers of a look, back to front: number, x and y.
func (k *packIndex) recipe(l art.Look) ([][3]int, error) {
	var list [][3]int
	for _, p := range k.pack.Resolve(l, art.Whole) {
		n, ok := k.number[p.File]
		if !ok {
			n = len(k.files)
			k.number[p.File], k.files = n, append(k.files, p.File)
		}
		list = append(list, [3]int{n, p.X, p.Y})
	}
	return list, nil
}

// appearances is how many values the field appearance has for each egg type.
const appearances = 24

// sample returns n looks of a pack, the same ones every time.
func sample(pack *art.Pack, n int) []art.Look {
	dice := rand.New(rand.NewPCG(4, 2))
	looks := make([]art.Look, n)
	for i := range looks {
		traits := map[string]uint64{
			"egg": dice.Uint64N(5), "rarity": dice.Uint64N(5), "element": dice.Uint64N(8), "background": dice.Uint64N(11),
			"appearance": 1 + dice.Uint64N(appearances),
		}
		if dice.IntN(10) == 0 {
			traits["shiny"] = 1
		}
		looks[i] = pack.Look(traits)
	}
	return looks
}
