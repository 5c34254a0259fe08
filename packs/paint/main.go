// Command paint draws the default art pack: every layer, pack.json and
// dictionary.json, into the directory named by its argument. The same source
// always gives the same bytes.
//
//	go run ./packs/paint packs/meadow
//	go run ./packs/paint sheet out.png [egg [family]]
//	go run ./packs/paint cards out.png [egg]
//	go run ./packs/paint poster docs/sheet.png
//
// The other forms draw contact sheets, to judge the work by eye: the creatures
// on plain grounds and as silhouettes, and whole pictures.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "paint:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 2 && args[0] == "poster" {
		return writePNG(args[1], poster())
	}
	if len(args) == 1 && args[0] != "sheet" && args[0] != "cards" {
		n, err := writePack(args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%d layers in %s\n", n, args[0])
		return err
	}
	if len(args) < 2 || len(args) > 4 || args[0] != "sheet" && args[0] != "cards" {
		return errors.New("usage: paint DIR | paint sheet OUT.png [egg [family]] | paint cards OUT.png [egg] | paint poster OUT.png")
	}
	egg, family := -1, ""
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil || n < 0 || n >= len(eggNames) {
			return fmt.Errorf("reading egg type %q: not 0 to %d", args[2], len(eggNames)-1)
		}
		egg = n
	}
	if len(args) > 3 {
		family = args[3]
	}
	if args[0] == "cards" {
		return writePNG(args[1], cards(max(egg, 0)))
	}
	return writeSheet(args[1], egg, family)
}

// nests are the creatures by egg type.
func nests() [][]creature {
	return [][]creature{blue(), grey(), green(), yellow(), golden()}
}

// eggNames are the egg types as the dictionary calls them.
var eggNames = []string{"Blue", "Grey", "Green", "Yellow", "Golden"}

// layers returns the whole pack, in the order pack.json lists it.
func layers() []layer {
	all := scenery()
	all = append(all, groundShadow("shadow/egg.png", 32, 58))
	for egg, nest := range nests() {
		for i, c := range nest {
			for n := range c.looks {
				all = append(all, c.layers(egg, 3*i+n+1, n)...)
			}
		}
	}
	all = append(all, eggs()...)
	return append(all, elements()...)
}
