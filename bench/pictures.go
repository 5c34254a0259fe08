package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"petsupply/internal/art"
)

const (
	tuples     = 5000 // looks that we draw
	sharpShare = 300  // looks that sharp draws in one round
)

// A drawing is the cost of drawing some pictures, all together.
type drawing struct {
	Pictures int     `json:"pictures"`
	CPU      float64 `json:"cpu"`  // in microseconds
	Wall     float64 `json:"wall"` // in microseconds
	Bytes    int     `json:"bytes"`
}

func (d drawing) each(x float64) float64 { return x / float64(d.Pictures) }

// coldPictures compares drawing a picture for the first time.
func coldPictures(ctx context.Context, h *harness) ([]row, error) {
	pack, err := art.Embedded()
	if err != nil {
		return nil, err
	}
	looks, share := sample(pack, tuples), sharpShare
	if h.quick {
		share = 40
	}
	jobs, err := h.sharpJobs(looks[:share])
	if err != nil {
		return nil, err
	}
	if err := h.samePixels(ctx, pack, looks[:share], jobs); err != nil {
		return nil, err
	}
	var cpu, bytes, all, rate []pairing
	var colours []float64
	for round := range h.rounds {
		ours := draw(pack, looks, 1)
		same := draw(pack, looks[:share], 1) // the same looks as sharp, to compare bytes
		plain, err := h.sharp(ctx, jobs, "plain", 1, "")
		if err != nil {
			return nil, err
		}
		small, err := h.sharp(ctx, jobs, "palette", 1, "")
		if err != nil {
			return nil, err
		}
		ahead := draw(pack, looks, runtime.NumCPU())
		behind, err := h.sharp(ctx, jobs, "palette", 2*runtime.NumCPU(), "")
		if err != nil {
			return nil, err
		}
		cpu, colours = append(cpu, pairing{ours.each(ours.CPU), small.each(small.CPU)}),
			append(colours, plain.each(plain.CPU))
		bytes = append(bytes, pairing{same.each(float64(same.Bytes)), small.each(float64(small.Bytes))})
		all = append(all, pairing{ahead.each(ahead.Wall), behind.each(behind.Wall)})
		rate = append(rate, pairing{ahead.each(ahead.Wall), 100})
		h.say("  cold pictures round %d: ours %.0f µs and %.0f bytes, sharp %.0f µs and %.0f bytes, by palette %.0f µs "+
			"and %.0f bytes; all cores %.0f and %.0f µs", round+1, ours.each(ours.CPU), same.each(float64(same.Bytes)),
			plain.each(plain.CPU), plain.each(float64(plain.Bytes)), small.each(small.CPU), small.each(float64(small.Bytes)),
			ahead.each(ahead.Wall), behind.each(behind.Wall))
	}
	rows := []row{
		compare("cold picture", "µs of CPU per picture", 25, cpu),
		compare("cold picture, size", "bytes", 1, bytes),
		compare("pre-drawing 5,000 pictures on all cores", "µs per picture", 25, all),
		compare("pre-drawing, rate on all cores", "pictures a second", 1, rate),
	}
	rows[0].Against, rows[1].Against, rows[2].Against = "sharp, palette", "sharp, palette", "sharp, palette"
	rows[0].Note = fmt.Sprintf("Both sides make a palette. In full colour, without a palette, sharp takes %s µs for a "+
		"picture.", figure(median(colours)))
	last := &rows[3]
	last.Ours, last.Peer, last.Against = 1e6/last.Ours, 1e6/last.Peer, "our limit"
	return rows, nil
}

// draw draws every look, this many at a time, and adds up the cost.
func draw(pack *art.Pack, looks []art.Look, workers int) drawing {
	d := drawing{Pictures: len(looks)}
	sizes := make([]int, workers)
	before, began := ownCPU(), time.Now()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(looks); i += workers {
				sizes[w] += len(pack.Draw(looks[i], art.Whole))
			}
		})
	}
	all.Wait()
	d.Wall, d.CPU = float64(time.Since(began).Microseconds()), ownCPU()-before
	for _, n := range sizes {
		d.Bytes += n
	}
	return d
}

// ownCPU returns this process's processor time, in microseconds.
func ownCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // Getrusage cannot fail with these arguments
	}
	return float64(u.Utime.Sec+u.Stime.Sec)*1e6 + float64(u.Utime.Usec+u.Stime.Usec)
}

// sharpJobs writes a file with the pictures that sharp draws from the layers of the default pack.
func (h *harness) sharpJobs(looks []art.Look) (string, error) {
	k, err := openPackIndex(filepath.Join(h.dir, "pack"))
	if err != nil {
		return "", err
	}
	var recipes [][][3]int
	for _, l := range looks {
		layers, err := k.recipe(l)
		if err != nil {
			return "", err
		}
		recipes = append(recipes, layers)
	}
	text, err := json.Marshal(map[string]any{"dir": k.dir, "grid": k.pack.Grid(), "scale": k.pack.Scale(),
		"layers": k.files, "pictures": recipes})
	if err != nil {
		return "", err
	}
	file := filepath.Join(h.dir, "sharp.json")
	return file, os.WriteFile(file, text, 0o644)
}

// sharp draws the jobs with the Node.js library sharp. If out is not "", it writes the pictures to
// that directory.
func (h *harness) sharp(ctx context.Context, jobs, mode string, parallel int, out string) (drawing, error) {
	args := []string{filepath.Join(h.root, "bench", "sharp.mjs"), jobs, mode, strconv.Itoa(parallel)}
	if out != "" {
		args = append(args, out)
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Env = append(os.Environ(), "UV_THREADPOOL_SIZE="+strconv.Itoa(max(2, runtime.NumCPU())))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	var d drawing
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return d, fmt.Errorf("drawing with sharp: %w: %s", err, complaint.Bytes())
	}
	return d, nil
}

// samePixels checks that sharp and petsupply draw the same pictures.
func (h *harness) samePixels(ctx context.Context, pack *art.Pack, looks []art.Look, jobs string) error {
	dir := filepath.Join(h.dir, "sharp")
	if _, err := h.sharp(ctx, jobs, "plain", 2, dir); err != nil {
		return err
	}
	for i, l := range looks {
		theirs, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)+".png"))
		if err != nil {
			return err
		}
		a, err := png.Decode(bytes.NewReader(theirs))
		if err != nil {
			return err
		}
		b, err := png.Decode(bytes.NewReader(pack.Draw(l, art.Whole)))
		if err != nil {
			return err
		}
		if !alike(a, b) {
			return fmt.Errorf("sharp and we draw different pictures of %s", pack.Key(l, art.Whole))
		}
	}
	return nil
}

// alike reports whether two pictures have the same pixels. All fully transparent pixels are equal.
func alike(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 || a1 != a2 {
				return false
			}
		}
	}
	return true
}
