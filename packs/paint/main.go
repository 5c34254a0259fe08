// Command paint draws the default art pack: every layer, pack.json, pack.lock and dictionary.json,
// into the directory named by its argument. The same source always gives the same bytes. To look at
// the result, draw a contact sheet with the command "petsupply pack sheet".
//
//	go run ./packs/paint packs/meadow
//	go run ./packs/paint poster docs/sheet.png
//
// The second form draws the poster that the documents show. It uses the embedded pack, so run the
// first form before it.
package main

import (
	"fmt"
	"image"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "paint:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "poster":
		return writePoster(args[1])
	case len(args) != 1 || args[0] == "poster":
	}
	n, err := writePack(args[0])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d layers in %s\n", n, args[0])
	return err
}

// nests returns the creatures by egg type.
func nests() [][]creature {
	return [][]creature{blue(), grey(), green(), yellow(), golden()}
}

// eggNames are the names of the egg types in the dictionary.
var eggNames = []string{"Blue", "Grey", "Green", "Yellow", "Golden"}

// The names of trait values in the pack's file names.
var (
	eggValues     = []string{"blue", "grey", "green", "yellow", "golden"}
	rarityValues  = []string{"common", "uncommon", "rare", "legendary", "mythic"}
	elementValues = []string{"fire", "water", "earth", "wind", "lightning", "ice", "light", "dark"}
)

// layers returns all layers of the pack.
func layers() []layer {
	all := scenery()
	all = append(all, groundShadow("shadow/egg.png", 32, 58))
	for egg, nest := range nests() {
		for i, c := range nest {
			if only := os.Getenv("PAINT_ONLY"); only != "" && !strings.Contains(only, c.key) {
				continue
			}
			for n := range c.looks {
				all = append(all, c.layers(egg, 3*i+n+1, n)...)
			}
		}
	}
	for e, k := range eggKinds() {
		whole := k.draw(0).img
		all = append(all, sparkles(eggValues[e]+"-0", whole, image.NewNRGBA(whole.Rect))...)
	}
	all = append(all, eggs()...)
	return append(all, elements()...)
}
