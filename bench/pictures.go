package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"petsupply/internal/art"
)

// coldPictures compares drawing a picture for the first time with what sharp needs for the last
// step only: it gets our finished pixels, and makes a PNG with a palette of them.
func coldPictures(ctx context.Context, h *harness) (row, error) {
	pack, err := art.Embedded()
	if err != nil {
		return row{}, err
	}
	looks := sample(pack, 300)
	if h.quick {
		looks = looks[:20]
	}
	dir := filepath.Join(h.dir, "pixels")
	if err := writePixels(dir, pack, looks); err != nil {
		return row{}, err
	}
	sizes := map[string]int{}
	const unit = "µs of CPU for a picture"
	rounds, err := h.takeTurns(unit,
		func() (float64, error) {
			before := ownCPU()
			bytes := 0
			for _, l := range looks {
				bytes += len(pack.Draw(l, art.Whole))
			}
			sizes["ours"] = bytes / len(looks)
			return (ownCPU() - before) / float64(len(looks)), nil
		},
		func() (float64, error) {
			d, err := h.sharp(ctx, dir, len(looks))
			sizes["peer"] = d.Bytes / len(looks)
			return d.CPU / float64(len(looks)), err
		})
	r := compare("cold picture", unit, "sharp, encoding alone", 5, rounds)
	r.Note = fmt.Sprintf("Our pictures have %s bytes, sharp's %s.", figure(float64(sizes["ours"])),
		figure(float64(sizes["peer"])))
	return r, err
}

// sample returns n looks of a pack, the same ones every time.
func sample(pack *art.Pack, n int) []art.Look {
	dice := rand.New(rand.NewPCG(4, 2))
	looks := make([]art.Look, n)
	for i := range looks {
		traits := map[string]uint64{"egg": dice.Uint64N(5), "rarity": dice.Uint64N(5), "element": dice.Uint64N(8),
			"background": dice.Uint64N(11), "appearance": 1 + dice.Uint64N(24)}
		if dice.IntN(10) == 0 {
			traits["shiny"] = 1
		}
		looks[i] = pack.Look(traits)
	}
	return looks
}

// writePixels writes each picture as a file of bare pixels, with four bytes each.
func writePixels(dir string, pack *art.Pack, looks []art.Look) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, l := range looks {
		picture, err := png.Decode(bytes.NewReader(pack.Draw(l, art.Whole)))
		if err != nil {
			return err
		}
		pixels := image.NewNRGBA(picture.Bounds())
		draw.Draw(pixels, pixels.Bounds(), picture, image.Point{}, draw.Src)
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), pixels.Pix, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// ownCPU returns this process's processor time, in microseconds.
func ownCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // Getrusage cannot fail with these arguments
	}
	return float64(u.Utime.Sec+u.Stime.Sec)*1e6 + float64(u.Utime.Usec+u.Stime.Usec)
}

// A drawing is the cost of some pictures, all together.
type drawing struct {
	CPU   float64 `json:"cpu"` // in microseconds
	Bytes int     `json:"bytes"`
}

// sharp encodes the pixels with the Node.js library sharp.
func (h *harness) sharp(ctx context.Context, dir string, pictures int) (d drawing, err error) {
	cmd := exec.CommandContext(ctx, "node", filepath.Join(h.root, "bench", "sharp.mjs"), dir, strconv.Itoa(pictures))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return d, fmt.Errorf("encoding with sharp: %w: %s", err, complaint.Bytes())
	}
	return d, nil
}
