package art

import (
	"fmt"
	"io/fs"

	"petsupply/internal/pet/collection"
)

// Lint checks a pack for a collection as Open does, and more. It names every bad file and not only
// the first, and layers that are never seen. It returns the pack if nothing is wrong with it.
func Lint(c *collection.Collection, name string) (*Pack, []error) {
	fsys, closer, err := openSource(name)
	if err != nil {
		return nil, []error{fmt.Errorf("opening art pack %s: %w", name, err)}
	}
	defer closer.Close()
	return lintFS(c, fsys)
}

func lintFS(c *collection.Collection, fsys fs.FS) (*Pack, []error) {
	l := newLoader(c, fsys)
	faults := l.load()
	if len(faults) == 0 {
		faults = l.pack.checkUse()
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return l.pack, nil
}

// checkUse finds layers that no look uses, that are blank, or that extend beyond the grid.
func (p *Pack) checkUse() (faults []error) {
	chosen := make([]bool, len(p.assets))
	for _, s := range p.slots {
		for _, a := range s.table {
			chosen[a] = true
		}
	}
	for i := range p.assets {
		a := &p.assets[i]
		if !chosen[i] {
			faults = append(faults, fmt.Errorf("%s: no look uses this layer", a.Where()))
		}
		if a.layer == nil {
			continue
		}
		if len(a.layer.spans) == 0 {
			faults = append(faults, fmt.Errorf(
				"%s: every pixel is transparent; if the slot is optional, remove the file", a.File))
		}
		x := a.X + a.layer.x
		y := a.Y + a.layer.y
		out := max(-x, -y, x+a.layer.w-p.grid, y+a.layer.h-p.grid)
		if a.At == "" && out > 0 {
			faults = append(faults, fmt.Errorf(
				`%s: sticks out of the grid by %d pixels; change its "x" and "y", or paint it smaller`, a.File, out))
		}
	}
	return faults
}
